/* The facts of attempts under one reference, and the one pure function over them. attempt.pml lets processes and a
   provider loose on it, steps.pml asks it everything that can be asked. A name in #ifdef is a rule left out (a mutant).

   An exchange (tap, then PIN) means all sends under one provider key: its value is that of the newest send, and
   AGAIN and LOST remember that an earlier one under this key was never answered. */
#ifndef A
#define A 2 /* attempts under the reference */
#endif
#ifndef G
#define G 2 /* rounds, of all attempts together */
#endif

/* An exchange. */
#define NONE 0
#define OPEN 1  /* opened before its first byte */
#define AGAIN 2 /* the same once more, an earlier one under this key being unanswered */
#define LOST 3  /* closed without an answer */
#define SAFE 4  /* closed: not sent, or refused before execution */
#define ANSW 5  /* closed: answered; or a word named it */
/* An end of a round. */
#define RUNS 0
#define OWNER 1
#define TAKEN 2
#define PERSON 3
/* Words about a round, and what else is known of it. */
#define MOVED 1
#define DECLINED 2
#define PENDING 4
#define NEVER 8
#define PMOVED 16 /* a person's "moved", the only word that can be withdrawn */
#define NAMED 32  /* the provider's name of it is known */
#define BOXED 64  /* a notice that it moved waits for that name */
#define MANY 128  /* more than one send was opened */
#define BOXEDNO 256 /* a notice of a decline waits: of the first exchange, of the second (512), of the attempt (1024) */
#define EVERNAMED 2048 /* the claims' own memory that its name was known */
#define DNAMED 4096 /* a pushed decline is about the first exchange; the second (8192) */
#define BOXEDP 16384 /* a notice that it is pending waits for the name */
#define SINCE 32768 /* it became known after the proof that it is pending */

byte na, nr;                          /* attempts, rounds */
byte att[G], own[G], ended[G];        /* of a round: attempt, owner, end */
short w[G];                           /* and its words */
byte snd[2 * G];                      /* its two exchanges */
byte last[A];                         /* the newest round of an attempt */
bit contra[A];                        /* a contradiction was raised */

#define has(g, k) ((w[g] & (k)) != 0)
#define say(g, k) w[g] = w[g] | (k)
#define unsay(g, k) w[g] = w[g] & ~(k) /* of notices that were applied, and by a person of his own word */
#define under(i) (snd[i] == OPEN || snd[i] == AGAIN)
#define prove(g) w[g] = (w[g] | NEVER) & ~SINCE /* a proof excludes all that was known when it was asked for */

/* Rule 13: a webhook's decline is a hint: the attempt is looked up at once. Only where the provider can't be asked
   (NO_LOOKUP) it decides: about the one exchange of its round that could have been executed, once that or the round has
   ended. It waits for that: what could have been executed is asked now, not when the message came. */
#define lastSend(g) (snd[2 * (g) + 1] != NONE -> 1 : 0)
#define executable(i) (snd[i] != NONE && snd[i] != SAFE)
#define executables(g) (executable(2 * (g)) + executable(2 * (g) + 1))
#if G > 2
#define allExecutables (executables(0) + executables(1) + executables(2))
#elif G > 1
#define allExecutables (executables(0) + executables(1))
#else
#define allExecutables (executables(0))
#endif
#define onlyOne(g) (executable(2 * (g)) -> 0 : 1)
#define hinted(i) has((i) / 2, DNAMED << ((i) % 2))
#if !defined(NO_LOOKUP) && !defined(PUSH_DECIDES)
#define concludes(i) false
#elif defined(DECLINE_OF_ANY_SEND) || defined(DECLINE_OF_ATTEMPT) /* of whichever exchange; naming the attempt is enough */
#define concludes(i) hinted(i)
#elif defined(ANSWERED_NOT_COUNTED) /* what was answered with no verdict can't have been executed, so that one is left */
#define waits(i) (executable(i) && snd[i] != ANSW)
#define concludes(i) (hinted(i) && waits(i) && waits(2 * ((i) / 2)) + waits(2 * ((i) / 2) + 1) == 1)
#else
#define concludes(i) (hinted(i) && executable(i) && executables((i) / 2) == 1)
#endif
#ifdef DECLINE_AT_ONCE
#define covered(i) concludes(i)
#else
#define covered(i) (concludes(i) && (snd[i] == LOST || ended[(i) / 2] != RUNS))
#endif
#define isRefused(g) (has(g, DECLINED) || concludes(2 * (g)) || concludes(2 * (g) + 1))
#define doubtful(i) ((under(i) || snd[i] == LOST) && !covered(i))

/* Whether some send of a round may have been executed for all we know. */
#define unresolved(g) (!has(g, NEVER) && (doubtful(2 * (g)) || doubtful(2 * (g) + 1)))
/* Answered, but without a final word. */
#define unfinished(g) (!isRefused(g) && !has(g, PENDING | NEVER) && (snd[2 * (g)] == ANSW || snd[2 * (g) + 1] == ANSW))

/* A pending report that nothing answers. A proof doesn't answer one that became known later, but still excludes that a
   request which was lost is executed. */
#define stillPending(g) (has(g, PENDING) && !isRefused(g) && !has(g, NEVER) || \
    has(g, PENDING) && !isRefused(g) && has(g, SINCE))
#define oldPending(g, a) (att[g] == (a) && (g) != newest(a) && stillPending(g))
#ifdef PENDING_OF_NEWEST /* the state is read off the newest round alone */
#define olderPending(a) false
#elif G > 2
#define olderPending(a) (oldPending(0, a) || oldPending(1, a) || oldPending(2, a))
#elif G > 1
#define olderPending(a) (oldPending(0, a) || oldPending(1, a))
#else
#define olderPending(a) false
#endif

/* The state of an attempt. */
#define movedIn(g, a) (att[g] == (a) && has(g, MOVED | PMOVED))
#if G > 2
#define isMoved(a) (movedIn(0, a) || movedIn(1, a) || movedIn(2, a))
#elif G > 1
#define isMoved(a) (movedIn(0, a) || movedIn(1, a))
#else
#define isMoved(a) (movedIn(0, a))
#endif
#define newest(a) last[a]
#define isDeclined(a) (!isMoved(a) && !olderPending(a) && !unresolved(newest(a)) && isRefused(newest(a)))
#define isPending(a) (!isMoved(a) && !unresolved(newest(a)) && !unfinished(newest(a)) && (stillPending(newest(a)) || olderPending(a)))
#define provenNot(a) \
    (!isMoved(a) && !olderPending(a) && !unresolved(newest(a)) && !isRefused(newest(a)) && \
     !stillPending(newest(a)) && !unfinished(newest(a)))
#ifdef NOEND_NEEDED /* rule 18: "not moved" also of a round whose owner may yet open a send */
#define isNot(a) (provenNot(a))
#else
#define isNot(a) (provenNot(a) && ended[newest(a)] != RUNS)
#endif
#define isOpen(a) (!isMoved(a) && !isDeclined(a) && !isNot(a))
/* What no process runs and is in doubt is due for a look. */
#if defined(PENDING_FORGOTTEN)
#define isDue(a) (isOpen(a) && ended[newest(a)] != RUNS && !isPending(a))
#elif defined(UNFINISHED_FORGOTTEN)
#define isDue(a) (isOpen(a) && ended[newest(a)] != RUNS && !unfinished(newest(a)))
#else
#define isDue(a) (isOpen(a) && ended[newest(a)] != RUNS)
#endif

/* Rule 1: who may open a send. */
#ifdef OPEN_BESIDE_PENDING /* an older round that turned out to be pending leaves the run that works alone */
#define nothingFinal(g) (!isMoved(att[g]) && !isRefused(g))
#else
#define nothingFinal(g) (!isMoved(att[g]) && !isDeclined(att[g]) && !olderPending(att[g]))
#endif
#ifdef NO_FENCE /* the owner, the newest round and its end are asked for the first send only */
#define owns(g, me) (snd[2 * (g)] != NONE || (newest(att[g]) == (g) && own[g] == (me) && ended[g] == RUNS))
#else
#define owns(g, me) (newest(att[g]) == (g) && own[g] == (me) && ended[g] == RUNS)
#endif
#ifdef SENT_AFTER_WORD /* what was said since is asked for the first send only */
#define notFinal(g) (snd[2 * (g)] != NONE || nothingFinal(g))
#else
#define notFinal(g) nothingFinal(g)
#endif
#ifdef SECOND_IN_DOUBT /* a new exchange although an earlier send is unanswered */
#define clear(g, e, keyLives) (!under(2 * (g) + (e)))
#else
#define clear(g, e, keyLives) (!unresolved(g) || (snd[2 * (g) + (e)] == LOST && (keyLives)))
#endif
#define mayOpen(g, e, me, keyLives) (owns(g, me) && notFinal(g) && clear(g, e, keyLives))
inline open(g, e) {
    if
    :: snd[2 * g] != NONE -> say(g, MANY)
    :: else
    fi;
    snd[2 * g + e] = (snd[2 * g + e] == LOST -> AGAIN : OPEN)
}

/* Rule 5: a new round, or the first. Rule 19 holds for it as for a new attempt. */
#if A > 1
#define blocks(b, a) ((b) != (a) && (b) < na && (OPEN_BLOCKS(b) || MOVED_BLOCKS(b)))
#define blocked(a) (blocks(0, a) || blocks(1, a))
#else
#define blocked(a) false
#endif
#ifdef OPEN_BLOCKS_NOT
#define OPEN_BLOCKS(b) false
#else
#define OPEN_BLOCKS(b) isOpen(b)
#endif
#ifdef MOVED_BLOCKS_NOT
#define MOVED_BLOCKS(b) false
#else
#define MOVED_BLOCKS(b) isMoved(b)
#endif
#ifdef ROUND_IN_DOUBT /* a new round although a send of the one before is unanswered */
#define mayBegin(a) (!isMoved(a) && !isDeclined(a) && ended[newest(a)] != RUNS)
#else
#define mayBegin(a) (isNot(a))
#endif
inline begin(a, me) { /* the caller has raised `na` where the attempt is new */
#ifdef NAMES_FORGOTTEN /* a new round deletes what the old one was called */
    if
    :: nr > 0 && att[last[a]] == a -> unsay(last[a], NAMED)
    :: else
    fi;
#endif
    att[nr] = a;
    own[nr] = me;
    last[a] = nr;
    nr++
}

/* Closes are never fenced, and none takes back what an answer or a word has resolved. */
inline close(g, e, how) {
    if
    :: how == ANSW -> snd[2 * g + e] = ANSW
#ifdef DOUBT_FORGOTTEN /* a refused repeat clears the doubt of the try before it */
    :: how == SAFE && under(2 * g + e) -> snd[2 * g + e] = SAFE
#else
    :: how == SAFE && snd[2 * g + e] == AGAIN -> snd[2 * g + e] = LOST
    :: how == SAFE && snd[2 * g + e] == OPEN -> snd[2 * g + e] = SAFE; unsay(g, DNAMED << e)
#endif
    :: how == LOST && under(2 * g + e) -> snd[2 * g + e] = LOST
    :: else
    fi
}

/* "Not moved" or "declined" is what all callers get. */
#define saysNo(a) (isNot(a) || isDeclined(a))
hidden byte subject; /* for one expression; no part of any state */

/* Rule 9: moved is never withdrawn and never thrown away. It contradicts what was believed of the attempt, or of an older
   round, after which the next was begun. */
#ifdef CONTRADICTION_OF_ATTEMPT_ALONE
#define believedNot(g) saysNo(subject)
#else
#define believedNot(g) (newest(subject) != (g) || saysNo(subject))
#endif
inline sayMoved(g) {
    subject = att[g];
    if
    :: believedNot(g) -> contra[subject] = 1
    :: else
    fi;
#ifdef APPROVAL_DROPPED /* an approval of what was believed not to have moved is thrown away */
    if
    :: believedNot(g)
    :: else -> say(g, MOVED)
    fi
#else
    say(g, MOVED)
#endif
}

/* What the provider accepted may still be executed: a proof excludes only what was known when it was asked. Recorded from
   whatever evidence, of whatever round; without effect where the attempt moved or that very round was declined. */
#if defined(PENDING_DROPPED) /* a webhook's or a late reply's, of an attempt that isn't open, is thrown away */
#define ignored(g) (isMoved(subject) || saysNo(subject))
#elif defined(PENDING_OF_DECLINED) /* of an attempt that was declined, though it was another round that was */
#define ignored(g) (isMoved(subject) || isDeclined(subject))
#else
#define ignored(g) (has(g, MOVED) || isRefused(g))
#endif
inline notePending(g) {
    say(g, PENDING);
#ifndef PENDING_HIDDEN /* recorded, and the proof still hides it */
    w[g] = (has(g, NEVER) -> w[g] | SINCE : w[g])
#endif
}
inline sayPending(g) {
    subject = att[g];
    if
    :: ignored(g) ->
#if !defined(PENDING_DROPPED) && !defined(PENDING_OF_DECLINED)
        notePending(g)
#else
        skip
#endif
    :: else ->
#ifndef PENDING_UNRAISED /* and no event is raised */
        if
        :: believedNot(g) && !stillPending(g) -> contra[subject] = 1
        :: else
        fi;
#endif
        notePending(g)
    fi
}

/* `e` is the exchange that the message names, 2 where it names the attempt alone: then it is about the only one that could
   have been executed. Without HINTS_KEPT nothing depends on a hint that decides nothing, and it leaves no trace. */
#if defined(DECLINE_OF_ATTEMPT) /* naming the attempt is enough */
#define isClear(g) true
#elif defined(ANSWERED_NOT_COUNTED)
#define isClear(g) (waits(2 * (g)) + waits(2 * (g) + 1) == 1)
#else
#define isClear(g) (allExecutables == 1)
#endif
#ifdef ANSWERED_NOT_COUNTED
#define isAbout(g) (waits(2 * (g)) -> 0 : 1)
#else
#define isAbout(g) onlyOne(g)
#endif
inline sayDeclinedBy(g, e) {
#if defined(NO_LOOKUP) || defined(PUSH_DECIDES) || defined(HINTS_KEPT)
    if
    :: newest(att[g]) == g && e != 2 && executable(2 * g + e) -> say(g, DNAMED << e)
    :: newest(att[g]) == g && e == 2 && isClear(g) -> say(g, DNAMED << isAbout(g))
    :: else
    fi
#else
    skip
#endif
}

/* Rule 15: the transaction that writes a name applies what waited for it. */
inline sayName(g) {
    say(g, NAMED | EVERNAMED);
    if
    :: has(g, BOXED) -> sayMoved(g); unsay(g, BOXED)
    :: else
    fi;
    if
    :: has(g, BOXEDP) -> sayPending(g); unsay(g, BOXEDP)
    :: else
    fi;
    if
    :: has(g, BOXEDNO) -> sayDeclinedBy(g, 0)
    :: has(g, 2 * BOXEDNO) -> sayDeclinedBy(g, 1)
    :: has(g, 4 * BOXEDNO) -> sayDeclinedBy(g, 2)
    :: else
    fi;
    unsay(g, 7 * BOXEDNO)
}
