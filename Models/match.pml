/* Rule 12, second half: a provider that knows none of our ids, so that what was lost is found by amount and time among the
   items of its list. Two attempts of one amount on one account. The truth: item i was made by attempt i. */
#define N 2
#define OTHER N /* an item more: a stranger's, or attempt 0 booked twice */
#ifndef DOUBLES
#define DOUBLES 0 /* the provider books a sale twice */
#endif
#ifndef STRANGERS
#define STRANGERS 0 /* another party sells on the account */
#endif
#define NEW 0
#define RUNS 1
#define LOST 2     /* unresolved */
#define MOVED 3
#define DECLINED 4
byte life[N];
bit nameless[N];       /* it moved by its reply, or by a person's word, without the name that the list shows */
bit item[N + 1];       /* the provider's list */
byte holder[N + 1];    /* 1 + the attempt that claimed the item; a name has one holder, for ever */
bit wire[N], answered[N];

hidden byte OWN_ITEM;

inline claim(who, it) {
    if
    :: holder[it] == 0 -> holder[it] = 1 + who
    :: else /* refused, and reported */
    fi;
    assert(OWN_ITEM || holder[it] == 1 + it)
}
#define free(k) ((shown & (1 << (k))) != 0 && holder[k] == 0)
#define items (free(0) + free(1) + free(OTHER))
#define oneItem (items == 1)
/* What moved without a name fits as well as what is unresolved: its item stands in the list unclaimed. */
#ifdef NAMELESS_FORGOTTEN
#define fits(a) (life[a] == RUNS || life[a] == LOST)
#elif defined(RUNNING_FORGOTTEN) /* what still runs is no rival */
#define fits(a) (life[a] == LOST || (life[a] == MOVED && nameless[a]))
#else
#define fits(a) (life[a] == RUNS || life[a] == LOST || (life[a] == MOVED && nameless[a]))
#endif
#ifdef ANY_RIVAL
#define oneAttempt true
#else
#define oneAttempt (fits(0) + fits(1) == 1)
#endif

proctype Sale(byte a) {
    atomic { life[a] = RUNS; wire[a] = 1 };
    if
    :: atomic { life[a] = LOST }
    :: atomic { answered[a] ->
        life[a] = MOVED;
        if
        :: claim(a, a)
        :: nameless[a] = 1
        fi
    }
    :: atomic { !wire[a] && !item[a] -> life[a] = DECLINED }
    fi;
    if
    :: atomic { life[a] == LOST && item[a] -> life[a] = MOVED; nameless[a] = 1 } /* a person saw it, and knows no name */
    :: skip
    fi
}
active proctype Provider() {
    byte a;
end:
    do
    :: atomic {
        if
        :: wire[0] -> a = 0
        :: wire[1] -> a = 1
        fi;
        wire[a] = 0;
        if
        :: item[a] = 1; answered[a] = 1
        :: item[a] = 1
        :: skip
        fi;
        a = 0
    }
    :: atomic { (STRANGERS || (DOUBLES && item[0])) && !item[OTHER] -> item[OTHER] = 1 }
    od
}
inline match(a) { /* in the transaction that writes the name */
    if
    :: free(0) -> claim(a, 0)
    :: free(1) -> claim(a, 1)
    :: free(OTHER) -> claim(a, OTHER)
    fi;
    life[a] = MOVED
}
active [2] proctype Look() {
    byte a, shown;
    bit fit;
end:
    do
    :: atomic {
        if
        :: life[0] == LOST -> a = 0
        :: life[1] == LOST -> a = 1
        fi;
#ifdef JUDGED_BEFORE /* the rivals are counted before the question is put */
        fit = (oneAttempt)
#endif
    };
        atomic { /* the list may lag: any part of it */
        if
        :: shown = item[0] + 2 * item[1] + 4 * item[OTHER]
        :: shown = item[0]
        :: shown = 2 * item[1]
        :: shown = 4 * item[OTHER]
        fi
    };
        atomic {
#ifdef JUDGED_BEFORE
        if
        :: fit && oneItem && life[a] == LOST -> match(a)
#else
        if
        :: oneItem && oneAttempt && life[a] == LOST -> match(a)
#endif
        :: else
        fi;
        a = 0; shown = 0; fit = 0
    }
    od
}
init { atomic { run Sale(0); run Sale(1) } }
