/* Recovery looks at what is due, takes over what no process runs, and a person decides what stays unknown. */
#ifdef NO_PROOF_OF_DEATH /* rule 6: a round is taken from a process that seems slow */
#define gone(m) true
#else
#define gone(m) (works[m] == GONE)
#endif
/* Rule 11: when a question is put whose "no" counts. */
#ifdef NO_QUIET
#define silent(g) true
#else
#define silent(g) (quiet[g] == 0)
#endif
#ifdef QUESTION_IN_RUN /* while the round still runs */
#define over(g) true
#else
#define over(g) (ended[g] != RUNS)
#endif
#define mayCount(g) (silent(g) && over(g))
/* Rule 12: not being seen proves something only where the vendor documents that it would be. */
#ifdef ABSENCE_UNDOCUMENTED
#define proves true
#else
#define proves DOCUMENTED
#endif
/* The taken-over send's silence counts from its limit or the take-over, whichever is later. */
#if defined(QUIET_FROM_FIRST_SEND)
#define taken(g) quiet[g]
#elif defined(NO_QUIET)
#define taken(g) 0
#elif defined(QUIET_FROM_TAKEOVER)
#define taken(g) (Q + 1)
#else
#define taken(g) (KIT -> EVER : Q + 1 + limit[own[g]])
#endif
inline endFor(g, by) {
    ended[g] = by;
    if
    :: under(2 * g) || under(2 * g + 1) -> quiet[g] = (taken(g) > quiet[g] -> taken(g) : quiet[g])
    :: else
    fi
}
#define NOTHING 0
#define SEEN_MOVED 1
#define SEEN_DECLINED 2
#define SEEN_PENDING 3

inline look(g) {
    if
    :: (real[g] & EXECUTED) -> saw = SEEN_MOVED
    :: (real[g] & EXECUTED) && (quiet[g] > 0 || !DOCUMENTED) -> saw = NOTHING /* not shown yet, or never */
    :: !(real[g] & EXECUTED) && (real[g] & DECIDES) -> saw = SEEN_PENDING
    :: PENDING_UNSHOWN && !(real[g] & EXECUTED) && (real[g] & DECIDES) && has(g, PENDING) -> saw = NOTHING
    :: !(real[g] & (EXECUTED | DECIDES)) && (real[g] & REFUSED) -> saw = SEEN_DECLINED
    :: !(real[g] & (EXECUTED | DECIDES)) -> saw = NOTHING /* many lists leave declines out */
    fi
}

#ifdef LOST_EARLY /* a dead owner's request ends at once, before the quiet time is over */
#define mayLose(g) (ended[g] == TAKEN && (under(2 * (g)) || under(2 * (g) + 1)))
#else
#define mayLose(g) (ended[g] == TAKEN && silent(g) && (under(2 * (g)) || under(2 * (g) + 1)))
#endif
inline lose(g) { close(g, 0, LOST); close(g, 1, LOST) }
#define mayTake(a) ((a) < na && ended[last[a]] == RUNS && gone(own[last[a]]))
#define mayLook(a) ((a) < na && isOpen(a) && (isDue(a) || ended[last[a]] == RUNS && !gone(own[last[a]])))
/* Asked about the newest round, or about an older one that turned out to be pending. */
#define asksOlder(h, a) (nr > (h) && oldPending(h, a))
inline which(a) {
    if
    :: g = last[a]
#ifndef OLDER_NOT_ASKED /* the question is always about the newest round */
#if G > 1
    :: asksOlder(0, a) -> g = 0
#endif
#if G > 2
    :: asksOlder(1, a) -> g = 1
#endif
#endif
    fi
}
inline take(a) {
    g = last[a];
    endFor(g, TAKEN);
    g = 0
}
inline ask(a) {
    which(a);
    ok = mayCount(g);
    look(g);
#if defined(EARLY_DECLINE) /* a decline counts before the last send has fallen silent */
    ok = ok || saw == SEEN_DECLINED
#elif defined(QUIET_AT_WRITE)
    ok = true
#endif
}

inline forget() { g = 0; saw = 0; ok = 0 }
#ifdef QUIET_AT_WRITE /* silence is judged when the answer is written, not when the question was put */
#define countsNow(g) mayCount(g)
#else
#define countsNow(g) true
#endif

active [LOOKS] proctype Look() {
    byte g, saw;
    bit ok;
end:
    do
    :: atomic { mayTake(0) -> take(0) }
#if A > 1
    :: atomic { mayTake(1) -> take(1) }
#endif
#ifdef NO_LOOKUP /* the provider can't be asked: after the quiet time a dead owner's request ends as lost, so that a pushed
   decline of it counts */
    :: atomic { nr > 0 && mayLose(0) -> lose(0) }
#if G > 1
    :: atomic { nr > 1 && mayLose(1) -> lose(1) }
#endif
#else
    :: atomic {
        if
        :: mayLook(0) -> ask(0)
#if A > 1
        :: mayLook(1) -> ask(1)
#endif
        fi;
        if /* what stays true may as well be written at once */
        :: saw == SEEN_MOVED -> sayMoved(g); sayName(g); forget(); goto end
        :: saw == SEEN_DECLINED && !ok -> sayName(g); forget(); goto end
        :: saw == NOTHING && !ok -> forget(); goto end
        :: else
        fi
    };
        atomic { /* asking and writing are two moments */
#ifdef STALE_NEGATIVE /* it concludes whatever round is the newest by now */
        g = (saw == SEEN_PENDING -> g : last[att[g]]);
#endif
        if
        :: saw == SEEN_PENDING -> heardPending(g); sayPending(g); sayName(g)
        :: saw == SEEN_DECLINED && countsNow(g) -> sayName(g); say(g, DECLINED); prove(g)
#ifdef HINTS_KEPT /* what isn't shown after a decline of its last exchange was pushed isn't pending any more */
        :: saw == NOTHING && countsNow(g) && proves && (!has(g, PENDING) || has(g, DNAMED << lastSend(g))) -> prove(g)
#elif defined(ABSENCE_OF_PENDING) /* what was accepted isn't shown any more */
        :: saw == NOTHING && countsNow(g) && proves -> prove(g)
#else
        :: saw == NOTHING && countsNow(g) && proves && !has(g, PENDING) -> prove(g)
#endif
        :: else
        fi;
        forget()
    }
#endif
    od
}

#ifdef PERSONS
/* An informed person says what is so and will stay so; a hasty one (-DHASTY) says anything. */
#define dead(g) ((wire[0] == IDLE || roundOf(0) != (g)) && (wire[1] == IDLE || roundOf(1) != (g)) && \
    !(real[g] & DECIDES) && works[own[g]] != 1 + (g))
#ifdef HASTY
#define mayBeSaid(truth) true
#else
#define mayBeSaid(truth) (truth)
#endif
/* It answers all that is known to be pending of the attempt, of whatever round. */
#if G > 1
#define olderDead(a) (att[0] != (a) || !(real[0] & (EXECUTED | DECIDES)))
#else
#define olderDead(a) true
#endif
inline sayNever(a) {
    prove(g);
    real[g] = real[g] & ~PHEARD;
#if G > 1 && !defined(NEVER_OF_NEWEST)
    if
    :: oldPending(0, a) -> prove(0); real[0] = real[0] & ~PHEARD
    :: else
    fi
#endif
}
active proctype Person() {
    byte a, g, n;
end:
    do
    :: atomic {
        nr > 0 && n < PERSONS ->
        n++;
        if
        :: a = 0
        :: na > 1 -> a = 1
        fi;
        g = last[a];
        if
        :: ended[g] == RUNS && under(2 * g + lastSend(g)) -> endFor(g, PERSON) /* its call outlived the deadline */
#ifdef PERSON_IN_RUN /* rule 16: decides about a round that still runs */
        :: isOpen(a) && !(real[g] & EXECUTED) && mayBeSaid(!(real[g] & EXECUTED)) -> declared = 1; prove(g)
#endif
        :: isDue(a) && mayBeSaid(real[g] & EXECUTED) ->
            declared = 1;
            wrong = (real[g] & EXECUTED -> wrong : 1);
            say(g, PMOVED);
            sayName(g)
#ifdef PERSON_EARLY /* says what is so, while it may still change */
        :: isDue(a) && !(real[g] & EXECUTED) -> prove(g)
#endif
#ifdef MOVED_WITHDRAWN /* rule 9: a person overrules what the provider said */
        :: has(g, MOVED) -> unsay(g, MOVED | PMOVED); prove(g); wrong = 1
#endif
        :: isDue(a) && mayBeSaid(!(real[g] & EXECUTED) && dead(g) && olderDead(a)) ->
            declared = 1;
            wrong = (!(real[g] & EXECUTED) && dead(g) && olderDead(a) -> wrong : 1);
            sayNever(a);
            assert(PERSON_ENDS || saysNo(a))
        :: has(g, PMOVED) && !(real[g] & EXECUTED) -> unsay(g, PMOVED)
        :: else
        fi;
        a = 0; g = 0
    }
    od
}
#endif
