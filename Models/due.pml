/* Rule 25: what is open is looked at again, however many processes share the work and whichever of them dies. Two
   attempts, of which the first may be an unreadable one; no process holds a lock. A living process that has
   something to do does it before the next tick, so that an attempt that is overdue has been forgotten. */
#define N 2
#define P 2
#define STEP 2 /* how far a look that is taken is moved forward */
#define DAY 4  /* a look further off than this is due now: a clock was set back */
#define FAR 12
#define LONGEST 6
byte next[N], since[N];    /* ticks until the next look; since the last look */
byte takenBy[N];           /* who works on it */
bit unreadable, setBack, acted[P], dead[P];
byte crashes, lock;
hidden byte LOOKED_AT;

#ifdef FAR_LOOKS_WAIT
#define due(i) (next[i] == 0)
#else
#define due(i) (next[i] == 0 || next[i] > DAY)
#endif
#ifdef LOCKED /* one process at a time, by a lock that no death releases */
#define mine(me) (lock == 0 || lock == 1 + (me))
#else
#define mine(me) true
#endif
#ifdef TAKEN_AWAY /* what is taken leaves the list until its taker puts it back */
#define listed(i) (takenBy[i] == 0)
#else
#define listed(i) true
#endif
/* The batch holds one. Which one, where both are due? */
#ifdef OLDEST_FIRST /* always the oldest, and what no process can ask stays where it is */
#define open(i) (due(i) && listed(i) && (i == 0 || !due(0)))
#define forward(i) (i == 0 && unreadable -> 0 : STEP)
#elif defined(BATCH_ENDS) /* what can't be read ends the batch */
#define open(i) (due(i) && listed(i) && !(unreadable && due(0)))
#define forward(i) STEP
#else
#define open(i) (due(i) && listed(i))
#define forward(i) STEP
#endif
#define idle(me) (dead[me] || acted[me] || !mine(me) || !(open(0) || open(1)))

proctype Recovery(byte me) {
    byte i;
end:
    do
    :: atomic { /* taking is moving the next look forward, in one write */
        !acted[me] && mine(me) && (open(0) || open(1)) ->
        if
        :: open(0) -> i = 0
        :: open(1) -> i = 1
        fi;
        acted[me] = 1;
        lock = 1 + me;
        next[i] = forward(i);
        takenBy[i] = 1 + me
    };
        if
        :: atomic { crashes < P - 1 -> crashes++; dead[me] = 1; break }
        :: atomic { /* asked; or, where it can't be read, skipped and named */
            since[i] = (i == 0 && unreadable -> since[i] : 0);
            takenBy[i] = 0;
            lock = 0;
            i = 0
        }
        fi
    od
}
active proctype Clock() {
end:
    do
    :: d_step {
        idle(0) && idle(1) && (takenBy[0] == 0 || dead[takenBy[0] - 1]) && (takenBy[1] == 0 || dead[takenBy[1] - 1]) ->
        next[0] = (next[0] -> next[0] - 1 : 0);
        next[1] = (next[1] -> next[1] - 1 : 0);
        since[0] = (unreadable || since[0] > LONGEST -> since[0] : since[0] + 1);
        since[1] = (since[1] > LONGEST -> since[1] : since[1] + 1);
        acted[0] = 0;
        acted[1] = 0
    }
    :: d_step { since[0] > LONGEST || since[1] > LONGEST -> assert(LOOKED_AT) }
    :: d_step { !setBack -> setBack = 1; next[1] = FAR }
    od
}
init {
    atomic {
        if
        :: unreadable = 1
        :: skip
        fi;
        run Recovery(0);
        run Recovery(1)
    }
}
