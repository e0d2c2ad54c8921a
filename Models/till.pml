/* An application's call and the run that serves it. A till is one process; it crashes at any line marked so, and what
   its kernel was given leaves all the same, within the limit. */
#ifdef SENDS_ALONE /* rule 1: sends go on after everybody left */
#define somebody true
#else
#define somebody waiting
#endif
#ifdef LATE_BYTES /* rule 3: nothing holds the bytes back once the limit is over */
#define inTime true
#elif defined(LIMIT_FROM_ANSWER) /* rule 3: it runs from when the open is known to be written */
#define inTime (limit[me] > 0 || late)
#else
#define inTime (limit[me] > 0)
#endif
#ifdef KERNEL_UNBOUND /* rule 3: no TCP_USER_TIMEOUT; what the kernel holds leaves when it can */
#define reach EVER
#else
#define reach (KIT -> EVER : limit[me] + Q)
#endif
#ifdef KEY_FOREVER /* rule 1: the provider's key is used again whenever */
#define keyLives KEYED
#elif defined(KEY_AT_OPEN) /* it lives when the send is opened, which says nothing about when the bytes arrive */
#define keyLives (KEYED && key > 0)
#else
#define keyLives (KEYED && key > L + Q)
#endif
/* Rule 11: from when silence counts. */
#if defined(QUIET_FROM_FIRST_SEND)
#define silence(m) quiet[g]
#elif defined(NO_QUIET)
#define silence(m) 0
#elif defined(QUIET_FROM_CLOSE) /* from the close alone, though the kernel may still send */
#define silence(m) (KIT -> EVER : Q + 1)
#else
#define silence(m) (KIT -> EVER : Q + 1 + limit[m])
#endif

inline hangUp() { /* nobody waits for the reply any more; the request is on its way all the same */
    for (j : 0 .. WIRES - 1) {
        if
        :: wire[j] != IDLE && who[j] == me -> who[j] = nobody
        :: else
        fi
    }
    j = 0;
    reply[me] = 0
}
inline crash() {
    atomic { trouble(); works[me] = GONE; hangUp(); goto dead }
}
inline leave() { /* the caller leaves, or stays */
    if
    :: waiting -> waiting = 0
    :: skip
    fi
}
inline endRound() { /* rule 1: a run that stops ends its round */
#ifndef ROUND_LEFT_OPEN
    if
    :: ended[g] == RUNS -> ended[g] = OWNER
    :: else
    fi;
#endif
    works[me] = IDLE;
    limit[me] = 0
}
/* Rule 19: what stands in the way of a new attempt, or of a new round. */
#ifdef ROUND_NOT_BLOCKED
#define BLOCKED(a) ((a) == na && blocked(a))
#else
#define BLOCKED(a) blocked(a)
#endif

hidden byte mayGoOn, isBlocked;
proctype Till(byte me) {
    byte g, e, a, j, k;
    bit waiting, repeated;
#ifdef LIMIT_FROM_ANSWER
    bit late;
#endif
end:
    do
    :: atomic { /* rule 17: the journal is asked first */
        calls < CALLS && !heardBy(me) && (calls > 0 || me == 0) ->
        calls++;
        waiting = 1;
        if /* the application kept the id of its attempt, or makes a fresh one */
        :: na > 0 -> a = 0
        :: na > 1 -> a = 1
        :: na < A -> a = na
        fi;
#ifdef CAPABILITIES_FIRST /* what the provider can do is asked before the journal; "nothing moved" is the answer */
        if
        :: a < na -> assert(TRUE_ANSWER || !happened(a)); goto next
        :: skip
        fi;
#endif
        mayGoOn = (a == na || mayBegin(a));
        isBlocked = (mayGoOn && BLOCKED(a));
        if
        :: nr < G && mayGoOn && isBlocked -> /* rule 19: refused with that result */
            a = 1 - a;
            goto tell
        :: nr < G && mayGoOn && !isBlocked ->
            if
            :: a == na -> na++
            :: else
            fi;
            g = nr;
            claimHeardFirst();
            begin(a, me);
            works[me] = 1 + g
        :: nr < G && !mayGoOn -> goto tell
        :: nr == G && a < na -> goto tell
        :: nr == G && a == na -> goto next
        fi
    };
send:
    if
    :: crash()
    :: atomic {
        leave();
        if
        :: mayOpen(g, e, me, keyLives) && somebody ->
            assert(SOMEBODY_WAITS || waiting);
            limit[me] = (KIT -> EVER : L);
#ifdef QUIET_FROM_FIRST_SEND
            quiet[g] = (snd[2 * g] == NONE -> Q + 1 : quiet[g]);
#endif
            if
            :: open(g, e)
            :: trouble(); goto unknownOpen /* not written, as it turns out */
            :: trouble(); open(g, e); goto unknownOpen
            :: trouble(); endRound(); goto tell /* certainly not written */
            fi;
            if
            :: KEYED && snd[2 * g + e] == OPEN -> key = KEYLIFE
            :: else
            fi
        :: else -> endRound(); goto tell
        fi
    }
    fi;
bytes:
    if
    :: crash()
    :: atomic {
        inTime && (wire[0] == IDLE || wire[1] == IDLE) ->
        j = (wire[0] == IDLE -> 0 : 1);
        wire[j] = 1 + 2 * g + e;
        ttl[j] = reach;
        who[j] = me;
        j = 0
    }
    :: atomic { limit[me] == 0 -> close(g, e, SAFE); endRound(); goto tell }
    fi;
endReply:
    if /* the reply, or none */
    :: crash()
    :: atomic {
        reply[me] == 0 && !KIT -> /* a kit's call can't be ended; who waits for it is released, the till waits on */
        hangUp();
        close(g, e, LOST);
        quiet[g] = (silence(me) > quiet[g] -> silence(me) : quiet[g]);
        if
        :: KEYED && !repeated && waiting -> repeated = 1; goto send
#ifdef SECOND_IN_DOUBT
        :: e == 0 && waiting -> e = 1; repeated = 0; goto send
#endif
        :: endRound(); goto tell
        fi
    }
    :: atomic {
        reply[me] != 0 ->
        k = reply[me];
        hangUp();
        leave();
        if
        :: k == APPROVED && troubles < TROUBLES -> /* rule 21: returned as not recorded, and written until it is */
            troubles++;
            heardBy(me) = (waiting -> 1 : heardBy(me));
            goto unwritten
        :: else
        fi
    }
    fi;
conclude:
    atomic { /* close, word, name and end in one write */
        if
        :: k == APPROVED -> close(g, e, ANSW); sayMoved(g); sayName(g); endRound()
        :: k == DECLINES -> close(g, e, ANSW); say(g, DECLINED); sayName(g); endRound()
        :: k == LATER -> close(g, e, ANSW); say(g, PENDING); sayName(g); endRound()
        :: k == MORE -> close(g, e, ANSW); sayName(g)
        :: k == AGAINPLEASE -> close(g, e, SAFE)
        :: k == EXISTS -> /* rule 14: done, for all we know */
#ifdef REFUSAL_TRUSTED
            close(g, e, ANSW); say(g, DECLINED);
#else
            close(g, e, LOST);
            quiet[g] = (silence(me) > quiet[g] -> silence(me) : quiet[g]);
#endif
            sayName(g); endRound()
        fi;
#ifdef TOLD_EARLY /* rule 19: told is written with what concluded, before anybody has it in hand */
        told[a] = 1;
#endif
        if
        :: k == MORE && ended[g] == RUNS -> e = 1; repeated = 0; k = 0; goto send
        :: k == AGAINPLEASE && !repeated && ended[g] == RUNS -> repeated = 1; k = 0; goto send
        :: else -> k = 0; endRound()
        fi
    };
tell:
#ifdef TOLD_FIRST /* told is written before the result is handed over */
    told[a] = 1;
#endif
    if
    :: crash()
    :: atomic { /* rule 18: the answer speaks of the whole attempt, out of its record */
        claimTruth(a);
        if
        :: isMoved(a) && waiting -> heardBy(me) = 1
#ifdef TOLD_TO_NOBODY /* told is written though the caller had left */
        :: isMoved(a) && !waiting
#endif
#ifdef TOLD_ANYTHING /* an earlier "not moved" counts as having been told of what moved after all */
        :: !isMoved(a) && !isOpen(a) && waiting
#endif
        :: else -> goto next
        fi
    }
    fi;
    if
    :: crash()
    :: told[a] = 1
    fi;
next:
    atomic { g = 0; e = 0; a = 0; repeated = 0; waiting = 0 }
    od;

unknownOpen: /* rule 4: nothing is sent; the same write is repeated under its id */
    if
    :: crash()
    :: atomic {
#ifdef SENT_ON_UNKNOWN
        goto bytes;
#endif
#ifdef LIMIT_FROM_ANSWER
        late = 1;
#endif
        if
        :: under(2 * g + e)
        :: !under(2 * g + e) && mayOpen(g, e, me, keyLives) && somebody -> open(g, e)
        :: else -> endRound(); goto tell
        fi;
        if
        :: KEYED && snd[2 * g + e] == OPEN -> key = KEYLIFE
        :: else
        fi;
        goto bytes
    }
    fi;

unwritten:
    if
    :: crash()
#ifdef OUTCOME_LEFT_UNWRITTEN /* rule 21: tried once */
    :: atomic { works[me] = IDLE; limit[me] = 0; goto next }
#else
    :: atomic { true -> goto conclude }
#endif
    fi;

dead:
    atomic { g = 0; e = 0; a = 0; k = 0; repeated = 0; waiting = 0 };
endDead:
    (false)
}
