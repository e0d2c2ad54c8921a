/* Recovery looks at what is due, takes over what nobody runs, and a person decides what nobody can tell. */
#ifdef NO_PROOF_OF_DEATH /* rule 6: a round is taken from whoever seems slow */
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
/* Rule 12: what makes not being seen a proof. 1: ours from before the round was shown; 2: one begun after the quiet
   time; 4: one begun after the round, but in the quiet time. */
#ifdef NO_WITNESS
#define proves(p) true
#elif defined(WITNESS_BEFORE)
#define proves(p) (DOCUMENTED || ((p) & 1))
#elif defined(WITNESS_AFTER)
#define proves(p) (DOCUMENTED || ((p) & 2))
#elif defined(WITNESS_EARLY)
#define proves(p) (DOCUMENTED || ((p) & 1) && ((p) & 6))
#else
#define proves(p) (DOCUMENTED || ((p) & 1) && ((p) & 2))
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

/* What the provider's list shows is a stretch of it: what ends before ours, or begins after it, doesn't show ours. */
inline look(g) {
    p = 0;
    if
    :: (real[g] & EXECUTED) -> saw = SEEN_MOVED
    :: (real[g] & EXECUTED) && quiet[g] > 0 && DOCUMENTED -> saw = NOTHING /* not shown yet */
    :: (real[g] & EXECUTED) && !DOCUMENTED ->
        saw = NOTHING;
        if
        :: p = 0
        :: p = 1
        :: witness == 1 && !(real[g] & BEHIND) -> p = 4
        :: witness == 2 -> p = 2
        :: witness > 0 && (real[g] & BEHIND) -> p = 5
        fi
    :: !(real[g] & EXECUTED) && (real[g] & DECIDES) -> saw = SEEN_PENDING
    :: !(real[g] & (EXECUTED | DECIDES)) && (real[g] & REFUSED) -> saw = SEEN_DECLINED
    :: !(real[g] & (EXECUTED | DECIDES)) -> /* many lists leave declines out */
        saw = NOTHING;
        if
        :: p = 0
        :: !DOCUMENTED && witness == 1 -> p = 5
        :: !DOCUMENTED && witness == 2 -> p = 3
        fi
    fi
}

#define mayTake(a) ((a) < na && ended[last[a]] == RUNS && gone(own[last[a]]))
#define mayLook(a) ((a) < na && isOpen(a) && (isDue(a) || ended[last[a]] == RUNS && !gone(own[last[a]])))
inline take(a) {
    g = last[a];
    endFor(g, TAKEN);
    g = 0
}
inline ask(a) {
    g = last[a];
    ok = mayCount(g);
    look(g);
#if defined(EARLY_DECLINE) /* a decline counts before the last send has fallen silent */
    ok = ok || saw == SEEN_DECLINED
#elif defined(QUIET_AT_WRITE)
    ok = true
#endif
}

inline forget() { g = 0; saw = 0; p = 0; ok = 0 }
inline showsOutcome(g) {
#ifdef TOLD_BY_ANYBODY /* rule 19: recovery or an operator counts as having told the caller */
    told[att[g]] = (isMoved(att[g]) -> 1 : told[att[g]])
#else
    skip
#endif
}
#ifdef QUIET_AT_WRITE /* silence is judged when the answer is written, not when the question was put */
#define countsNow(g) mayCount(g)
#else
#define countsNow(g) true
#endif

active [LOOKS] proctype Look() {
    byte g, saw, p;
    bit ok;
end:
    do
    :: atomic { mayTake(0) -> take(0) }
#if A > 1
    :: atomic { mayTake(1) -> take(1) }
#endif
    :: atomic {
        if
        :: mayLook(0) -> ask(0)
#if A > 1
        :: mayLook(1) -> ask(1)
#endif
        fi;
        if /* what stays true may as well be written at once */
        :: saw == SEEN_MOVED -> sayMoved(g); sayName(g); showsOutcome(g); forget(); goto end
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
        :: saw == SEEN_PENDING -> say(g, PENDING); sayName(g)
        :: saw == SEEN_DECLINED && countsNow(g) -> sayName(g); say(g, DECLINED | NEVER)
        :: saw == NOTHING && countsNow(g) && proves(p) && !has(g, PENDING) -> say(g, NEVER)
        :: else
        fi;
        showsOutcome(g);
        forget()
    }
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
        :: isOpen(a) && !(real[g] & EXECUTED) && mayBeSaid(!(real[g] & EXECUTED)) -> declared = 1; say(g, NEVER)
#endif
        :: isDue(a) && mayBeSaid(real[g] & EXECUTED) ->
            declared = 1;
            wrong = (real[g] & EXECUTED -> wrong : 1);
            say(g, PMOVED);
            sayName(g)
#ifdef PERSON_EARLY /* says what is so, while it may still change */
        :: isDue(a) && !(real[g] & EXECUTED) -> say(g, NEVER)
#endif
#ifdef MOVED_UNSAID /* rule 9: a person overrules what the provider said */
        :: has(g, MOVED) -> unsay(g, MOVED | PMOVED); say(g, NEVER); wrong = 1
#endif
        :: isDue(a) && mayBeSaid(!(real[g] & EXECUTED) && dead(g)) ->
            declared = 1;
            wrong = (!(real[g] & EXECUTED) && dead(g) -> wrong : 1);
            say(g, NEVER)
        :: has(g, PMOVED) && !(real[g] & EXECUTED) -> unsay(g, PMOVED)
        :: else
        fi;
        a = 0; g = 0
    }
    od
}
#endif
