/* Attempts under one reference: tills that crash, a kernel that sends after them, a provider, its webhooks, recovery,
   a person. What is atomic and touches facts.pml is one durable write. README.md says which rule stands where. */
#ifndef TILLS
#define TILLS 2
#endif
#ifndef CALLS
#define CALLS 2 /* calls of the application, all tills together */
#endif
#ifndef TROUBLES
#define TROUBLES 1 /* crashes, restarts, failed writes and writes of unknown fate, together */
#endif
#ifndef POSTS
#define POSTS 1 /* webhooks, each delivered as often as it likes */
#endif
#ifndef LOOKS
#define LOOKS 1
#endif
#ifndef KEYED
#define KEYED 0 /* the provider knows a request under our key again */
#endif
#ifndef TWINS
#define TWINS 0 /* the network makes two requests of one, and the provider refuses the second */
#endif
#ifndef TIED
#define TIED 1 /* webhooks tell the round and the send, not the attempt alone */
#endif
#ifndef BYNAME
#define BYNAME 1 /* webhooks name the provider's reference, not ours */
#endif
#ifndef DOCUMENTED
#define DOCUMENTED 1 /* the vendor documents that what isn't shown after the quiet time never was */
#endif
#ifndef KIT
#define KIT 0 /* a send is a call of a kit without a maximum */
#endif
#ifndef PENDING_UNSHOWN
#define PENDING_UNSHOWN 0 /* the provider's list leaves out what it still has to decide */
#endif
#define WIRES 2 /* requests under way at once */
#define L 1     /* ticks in which a send's bytes may leave, from before the open is written */
#define Q 1     /* ticks from a request's last byte to its execution */
#ifndef KEYLIFE
#define KEYLIFE 4 /* ticks that the provider remembers a key */
#endif
#define EVER 15 /* longer than any tick counts */

#include "facts.pml"

/* The clocks. Each is counted down, which is the monotonic clock of the process that needs it. */
byte quiet[G];     /* until silence about a round proves something */
byte limit[TILLS]; /* until the till's send may no longer leave */
byte key;          /* until the provider forgets the key of the newest round's exchange */

/* The world. */
#define IDLE 0
#define noTill TILLS
byte wire[WIRES], ttl[WIRES], who[WIRES]; /* requests: exchange; until when it may be executed; who waits */
#define keyOf(i) (wire[i] - 1)
#define roundOf(i) (keyOf(i) / 2)
#define sendOf(i) (keyOf(i) % 2)
byte reply[TILLS], works[TILLS]; /* works: 1 + the round that a living till is at, or IDLE; GONE: crashed */
#define GONE 9
#define EXECUTED 1
#define REFUSED 2  /* the provider booked a decline */
#define DECIDES 4  /* it decides later */
#define HEARD 8    /* an approval reached us, under a name that we may not know yet */
#define PHEARD 32  /* "pending" reached us, and no person decided about it since */
byte real[G], kept[2 * G]; /* the provider's truth of a round; its answers under our keys */
chan hook = [1] of { byte, byte, byte };
byte calls, troubles, posts, executions;
bit doubled;

/* What a person said, which may be wrong where people are hasty. */
bit declared, wrong;

#define APPROVED 1
#define DECLINES 2
#define AGAINPLEASE 3 /* refused before execution */
#define MORE 4        /* a PIN is needed */
#define LATER 5
#define EXISTS 6 /* a refusal that an executed twin would cause as well */

inline trouble() { troubles < TROUBLES -> troubles++ }

/* The claims. Each assertion carries the name of its claim, a word that is always false, so that what fails says it. */
hidden byte ONCE, TRUE_ANSWER, HEARD_COUNTS, CONTRADICTION_RAISED, PAID_ONCE, CALLER_WAITS, RUN_ENDS, DOUBT_IS_DUE;
hidden byte PENDING_COUNTS, PENDING_BLOCKS, PERSON_ENDS;
#define realOf(g, a) (att[g] == (a) && (real[g] & EXECUTED))
#if G > 2
#define happened(a) (realOf(0, a) || realOf(1, a) || realOf(2, a))
#elif G > 1
#define happened(a) (realOf(0, a) || realOf(1, a))
#else
#define happened(a) (realOf(0, a))
#endif
/* No caller gets "not moved" about money that moved, nor the other way round. */
inline claimTruth(a) {
    assert(TRUE_ANSWER || wrong || !happened(a) || !saysNo(a));
    assert(TRUE_ANSWER || wrong || happened(a) || !isMoved(a))
}
/* A person is charged once under the reference, and never after a caller could get "not moved". */
#ifdef LEFT_IN_OPENING
bit clean[G]; /* a caller of this round left and heard "nothing moved" */
#endif
inline execute(g) {
    subject = att[g];
#ifdef LEFT_IN_OPENING
    assert(TRUE_ANSWER || wrong || !clean[g]);
#endif
    assert(TRUE_ANSWER || wrong || !saysNo(subject));
    real[g] = real[g] | EXECUTED;
    executions++;
    assert(ONCE || wrong || executions <= 1)
}
/* No attempt and no round begins under the reference while the journal knows that money moved under it. */
inline claimPaidOnce() { assert(PAID_ONCE || !(nr > 0 && isMoved(0)) && !(na > 1 && isMoved(A - 1))) }
/* "Pending" that reached us, of what is still to be decided, leaves its attempt open, whatever was believed of it. */
#define heardPending(g) real[g] = real[g] | ((real[g] & DECIDES) -> PHEARD : 0)
#define unwaited(g) ((real[g] & PHEARD) && (real[g] & DECIDES) && has(g, EVERNAMED) && saysNo(att[g]))
/* And so does one that contradicts what was believed; it is raised. */
#define hushedPending(g) (stillPending(g) && newest(att[g]) != (g) && !contra[att[g]])
/* An approval that reached us is "moved", and one that contradicts what was believed is raised as that. */
#define dropped(g) ((real[g] & HEARD) && has(g, EVERNAMED) && !has(g, MOVED))
#define hushed(g) (has(g, MOVED) && has(g, NEVER) && !contra[att[g]])
/* A run that stopped has ended its round, and what is open and doesn't run is due for a look. */
#define stuck(g) (ended[g] == RUNS && works[own[g]] != 1 + (g) && works[own[g]] != GONE)
#define forgotten(a) ((a) < na && isOpen(a) && ended[last[a]] != RUNS && !isDue(a))

#include "provider.pml"
#include "till.pml"
#include "recovery.pml"

init {
    atomic {
        byte i;
        for (i : 0 .. TILLS - 1) { run Till(i) }
        i = 0
    }
end:
    do
    :: d_step { nr > 0 && dropped(0) -> assert(HEARD_COUNTS) }
    :: d_step { nr > 0 && (hushed(0) || hushedPending(0)) -> assert(CONTRADICTION_RAISED) }
    :: d_step { nr > 0 && unwaited(0) -> assert(PENDING_COUNTS) }
    :: d_step { nr > 0 && stuck(0) -> assert(RUN_ENDS) }
    :: d_step { forgotten(0) -> assert(DOUBT_IS_DUE) }
#if G > 1
    :: d_step { nr > 1 && dropped(1) -> assert(HEARD_COUNTS) }
    :: d_step { nr > 1 && (hushed(1) || hushedPending(1)) -> assert(CONTRADICTION_RAISED) }
    :: d_step { nr > 1 && unwaited(1) -> assert(PENDING_COUNTS) }
    :: d_step { nr > 1 && stuck(1) -> assert(RUN_ENDS) }
#endif
#if G > 2
    :: d_step { nr > 2 && dropped(2) -> assert(HEARD_COUNTS) }
    :: d_step { nr > 2 && (hushed(2) || hushedPending(2)) -> assert(CONTRADICTION_RAISED) }
    :: d_step { nr > 2 && unwaited(2) -> assert(PENDING_COUNTS) }
    :: d_step { nr > 2 && stuck(2) -> assert(RUN_ENDS) }
#endif
#if A > 1
    :: d_step { forgotten(1) -> assert(DOUBT_IS_DUE) }
#endif
    od
}
