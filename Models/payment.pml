/* Follow-ups of one payment: refunds and a void by several machines, the provider's own refund, what fails later and is
   done again after all. The provider's books decide who was right. A name in #ifdef is a rule left out (a mutant). */
#ifndef K
#define K 2 /* follow-ups that we start, at most 3; one more is the provider's own */
#endif
#ifndef DIFFERENCE
#define DIFFERENCE 0 /* the provider shows totals only: nothing else may change them, which the three below take away */
#endif
#ifndef OUTSIDER
#define OUTSIDER (!DIFFERENCE) /* somebody refunds at the provider's own desk */
#endif
#ifndef FAILING
#define FAILING (!DIFFERENCE) /* what was given back may fail later, and be done after all */
#endif
#ifndef DECIDING
#define DECIDING (!DIFFERENCE) /* it may decide later; totals don't show what is still to be decided */
#endif
#define OURS 3
#define ALL 4

/* The journal: of each follow-up what was asked, how far its run is, and its words. */
#define NEW 0
#define RUNS 1
#define ENDED 2
byte asked[ALL], life[ALL];
bit pending[ALL], denied[ALL]; /* accepted, not final; declined, or proven never to have arrived */
byte word[ALL];                /* the provider's latest word about moved money: 0 none, 1 moved, 2 failed later, 3 moved after all */
bit byLook[ALL], isVoid[ALL], wasMoved[ALL];
byte base[ALL], quiet[ALL];
byte cap;                      /* captured: the amount of the word, which may be less than the intent's */

/* The provider. */
byte total, place[ALL];        /* what it gave back; its last word about each, as above */
bit wire[ALL], decides[ALL];
byte notices[ALL];             /* words that haven't reached us yet, a bit for each */
bit redone, wired[ALL], refused[ALL];
bit got, knew[ALL];            /* the notice of the provider's own refund came; it had when this one was begun */
#define excused(i) ((redone || (place[OURS] && !knew[i])) && total + asked[i] > cap)

hidden byte NEVER_TOO_MUCH, TRUE_ANSWER, SAME_SUM, MOVED_STAYS;

/* Rule 23: each counts by its last word about moved money. */
#define counts(i) (word[i] % 2 == 1 -> asked[i] : 0)
#define isOpen(i) (life[i] != NEW && word[i] == 0 && !denied[i])
#define inDoubt(i) (isOpen(i) && life[i] == ENDED && !pending[i])
#if defined(DOUBT_IS_FREE)
#define reserves(i) (isOpen(i) && !inDoubt(i) -> asked[i] : 0)
#elif defined(PENDING_IS_FREE)
#define reserves(i) (isOpen(i) && !(pending[i] && life[i] == ENDED) -> asked[i] : 0)
#else
#define reserves(i) (isOpen(i) -> asked[i] : 0)
#endif
#ifdef INTENT_COUNTS
#define captured 2
#else
#define captured cap
#endif
#define left (captured - counts(0) - counts(1) - counts(2) - counts(3) - reserves(0) - reserves(1) - reserves(2) - reserves(3))
#define anyOpen (isOpen(0) || isOpen(1) || isOpen(2) || isOpen(3))
#define anyDoubt (inDoubt(0) || inDoubt(1) || inDoubt(2) || inDoubt(3))
#define anyVoid ((isVoid[0] && (isOpen(0) || word[0] % 2)))
/* Rule 7: unknown blocks; where only totals are shown, one send at a time is open on the payment. */
#ifdef SEVERAL_BY_DIFFERENCE
#define onlyOne true
#else
#define onlyOne (!DIFFERENCE || !anyOpen)
#endif
#ifdef UNKNOWN_BLOCKS_NOT
#define unblocked true
#else
#define unblocked (!anyDoubt)
#endif
#ifdef VOID_WHILE_OPEN
#define voidable true
#else
#define voidable (!anyOpen && left == captured)
#endif
#define allowed(i) (unblocked && onlyOne && !anyVoid && (isVoid[i] -> voidable : asked[i] <= left))

inline hear(i, k) { /* rules 9 and 10: the provider's own times order its words, arrival doesn't */
#if defined(ARRIVAL_ORDERS)
    word[i] = k;
#elif defined(OUR_CLOCK_ORDERS) /* what a look learned is dated by our clock, and an "older" word is dropped */
    word[i] = (byLook[i] && k > word[i] -> word[i] : (k > word[i] -> k : word[i]));
#elif defined(FAILURE_UNSAYS) /* a later failure is taken for "nothing moved" */
    word[i] = (k == 2 -> 0 : (k > word[i] -> k : word[i]));
    denied[i] = (k == 2 -> 1 : denied[i]);
#else
    word[i] = (k > word[i] -> k : word[i]);
#endif
    wasMoved[i] = 1
}
inline deny(i) {
    denied[i] = 1;
    assert(TRUE_ANSWER || word[i] || place[i] == 0 && !decides[i] && !wire[i])
}

proctype FollowUp(byte i) {
    if
    :: asked[i] = 1
    :: asked[i] = 2
    :: i == 0 -> asked[i] = cap; isVoid[i] = 1
    fi;
#ifdef RESERVED_OUTSIDE /* the amounts are read before the transaction that writes the intent */
    if
    :: allowed(i)
    :: else -> goto out
    fi;
    atomic { life[i] = RUNS; knew[i] = got };
#else
    atomic {
        if
        :: allowed(i) -> life[i] = RUNS; knew[i] = got
        :: else -> goto out
        fi
    };
#endif
    base[i] = total;
    atomic { wire[i] = 1; wired[i] = 1 };
    if
    :: atomic { life[i] = ENDED; quiet[i] = 2 } /* no answer, or a crash and a take-over */
    :: atomic { place[i] == 1 -> hear(i, 1); life[i] = ENDED }
    :: atomic { decides[i] -> pending[i] = 1; life[i] = ENDED; quiet[i] = 2 }
    :: atomic { refused[i] -> life[i] = ENDED; deny(i) }
    fi;
out:
    skip
}

inline give(i) {
    total = total + asked[i];
    place[i] = 1;
    notices[i] = 2;
    assert(NEVER_TOO_MUCH || total <= cap)
}
inline later(i) {
    if
    :: excused(i)
    :: !excused(i) -> give(i)
    :: skip
    fi
}
active proctype Provider() {
    byte i;
end:
    do
    :: atomic {
        if
        :: wire[0] -> i = 0
        :: wire[1] -> i = 1
        :: wire[2] -> i = 2
        fi;
        wire[i] = 0;
        if
        :: excused(i) -> refused[i] = 1 /* its own doing: it refuses the rest */
        :: !excused(i) -> give(i)
        :: refused[i] = 1
        :: DECIDING && !isVoid[i] -> decides[i] = 1
        :: skip /* lost on its way */
        fi;
        i = 0
    }
    :: atomic { decides[0] -> decides[0] = 0; later(0) }
    :: atomic { decides[1] -> decides[1] = 0; later(1) }
    :: atomic { decides[2] -> decides[2] = 0; later(2) }
    :: atomic { /* given back, and it failed after all: the money is the merchant's again */
        if
        :: FAILING && place[0] == 1 && !isVoid[0] -> i = 0
        :: FAILING && place[1] == 1 -> i = 1
        fi;
        place[i] = 2;
        total = total - asked[i];
        notices[i] = notices[i] | 4;
        i = 0
    }
    :: atomic { place[0] == 2 && total + asked[0] <= cap -> place[0] = 3; total = total + asked[0]; redone = 1; notices[0] = notices[0] | 8 }
    :: atomic { OUTSIDER && place[OURS] == 0 && total + 1 <= cap && !wire[0] && !wire[1] && !wire[2] ->
        total++;
        place[OURS] = 1;
        notices[OURS] = 2
    }
    od
}
active proctype Clock() { /* a request under way is gone before the second tick */
end:
    do
    :: d_step { !wire[0] && !wire[1] && !wire[2] && (quiet[0] || quiet[1] || quiet[2]) ->
        quiet[0] = (quiet[0] -> quiet[0] - 1 : 0);
        quiet[1] = (quiet[1] -> quiet[1] - 1 : 0);
        quiet[2] = (quiet[2] -> quiet[2] - 1 : 0)
    }
    od
}
active proctype Notices() { /* in any order, each as often as it likes until it is gone */
    byte i, k;
end:
    do
    :: atomic {
        if
        :: notices[0] -> i = 0
        :: notices[1] -> i = 1
        :: notices[2] -> i = 2
        :: notices[OURS] -> i = OURS
        fi;
        if
        :: (notices[i] & 2) -> k = 1
        :: (notices[i] & 4) -> k = 2
        :: (notices[i] & 8) -> k = 3
        fi;
        notices[i] = notices[i] & ~(1 << k);
        if
        :: i == OURS -> /* rule 30: an attempt of its own, written with its word */
            got = 1;
#ifndef OUTSIDER_DROPPED
            asked[i] = 1;
            life[i] = ENDED;
            hear(i, k)
#endif
        :: i != OURS -> hear(i, k)
        fi;
        i = 0; k = 0
    }
    od
}

/* Rule 11: silence proves something after the quiet time only. */
#ifdef NO_QUIET
#define silent(i) true
#else
#define silent(i) (quiet[i] == 0 && life[i] == ENDED)
#endif
inline look(i) {
    if
    :: !DIFFERENCE && place[i] > 0 -> hear(i, place[i]); byLook[i] = 1
    :: !DIFFERENCE && place[i] == 0 && silent(i) && !decides[i] -> deny(i)
    :: DIFFERENCE && total == base[i] + asked[i] && wired[i] ->
        assert(TRUE_ANSWER || place[i]);
        hear(i, 1)
    :: DIFFERENCE && total == base[i] && silent(i) && !pending[i] -> deny(i)
    :: skip
    fi
}
active proctype Look() {
    byte i;
end:
    do
    :: atomic { isOpen(0) -> look(0) }
    :: atomic { isOpen(1) -> look(1) }
    :: atomic { isOpen(2) -> look(2) }
    od
}

#define quietEnd(i) (notices[i] == 0 && !wire[i] && !decides[i] && life[i] != RUNS)
init {
    atomic {
        if /* approved in full, or in part */
        :: cap = 1
        :: cap = 2
        fi;
        run FollowUp(0);
        run FollowUp(1);
        if
        :: K > 2 -> run FollowUp(2)
        :: K <= 2
        fi
    }
end:
    do
    :: d_step { quietEnd(0) && word[0] && word[0] != place[0] -> assert(SAME_SUM) }
    :: d_step { quietEnd(1) && word[1] && word[1] != place[1] -> assert(SAME_SUM) }
    :: d_step { quietEnd(OURS) && word[OURS] != place[OURS] -> assert(SAME_SUM) }
    :: d_step { (wasMoved[0] && !word[0]) || (wasMoved[1] && !word[1]) -> assert(MOVED_STAYS) }
    :: d_step { (denied[0] && !word[0] && place[0]) || (denied[1] && !word[1] && place[1]) || (denied[2] && !word[2] && place[2]) -> assert(TRUE_ANSWER) }
    od
}
