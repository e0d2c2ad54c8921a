/* The provider, its webhooks, and time. */
inline answer(k) { /* the reply may be lost */
    if
    :: who[i] != noTill -> reply[who[i]] = k
    :: skip
    fi
}
inline post(k) { /* and so may the webhook */
    if
    :: nfull(hook) && posts < POSTS -> posts++; hook ! k, roundOf(i), sendOf(i)
    :: skip
    fi
}
#define keeps (KEYED || TWINS)
inline remember(k) {
    if
    :: keeps -> kept[keyOf(i)] = k
    :: else
    fi
}
#define keyKnown (KEYED && kept[keyOf(i)] && key > 0)
#define twinKnown (TWINS && kept[keyOf(i)])

inline decidesLater(g) {
    (real[g] & DECIDES) -> real[g] = real[g] & ~(DECIDES | PHEARD);
    if
    :: execute(g);
        if
        :: nfull(hook) && posts < POSTS -> posts++; hook ! APPROVED, g, 1
        :: skip
        fi
    :: real[g] = real[g] | REFUSED;
        if
        :: nfull(hook) && posts < POSTS -> posts++; hook ! DECLINES, g, 1
        :: skip
        fi
    fi
}

active proctype Provider() {
    byte i;
end:
    do
    :: atomic {
        wire[0] != IDLE || wire[1] != IDLE ->
        if
        :: wire[0] != IDLE -> i = 0
        :: wire[1] != IDLE -> i = 1
        fi;
        if
        :: skip /* lost on its way */
        :: keyKnown -> answer(kept[keyOf(i)])
        :: twinKnown -> answer(EXISTS); post(EXISTS) /* the copy's refusal may be pushed as well */
        :: !keyKnown && !twinKnown && !(real[roundOf(i)] & DECIDES) ->
            if
            :: execute(roundOf(i)); post(APPROVED); answer(APPROVED); remember(APPROVED)
            :: real[roundOf(i)] = real[roundOf(i)] | REFUSED; post(DECLINES); answer(DECLINES); remember(DECLINES)
            :: !(TWINS && wire[1 - i] != IDLE) -> answer(AGAINPLEASE)
            :: sendOf(i) == 0 -> /* some book the tap as declined when they ask for the PIN */
                if
                :: real[roundOf(i)] = real[roundOf(i)] | REFUSED; post(DECLINES)
                :: skip
                fi;
                answer(MORE);
                remember(MORE)
            :: real[roundOf(i)] = real[roundOf(i)] | DECIDES; post(LATER); answer(LATER); remember(LATER)
            fi
        fi;
        wire[i] = IDLE;
        ttl[i] = 0;
        who[i] = 0;
        i = 0
    }
    :: atomic { decidesLater(0) }
#if G > 1
    :: atomic { decidesLater(1) }
#endif
#if G > 2
    :: atomic { decidesLater(2) }
#endif
    :: d_step { /* the network makes two of one */
        TWINS && !doubled && wire[0] != IDLE && wire[1] == IDLE ->
        doubled = 1;
        wire[1] = wire[0];
        ttl[1] = ttl[0];
        who[1] = who[0]
    }
    od
}
#define counting(c) ((c) > 0 && (c) != EVER)
active proctype Clock() {
    byte j;
end:
    do
    :: d_step {
        (wire[0] == IDLE || ttl[0] > 0) && (wire[1] == IDLE || ttl[1] > 0) &&
        (counting(quiet[0]) || counting(quiet[G / 2]) || counting(quiet[G - 1]) || counting(limit[0]) || counting(limit[TILLS - 1]) ||
            (wire[0] != IDLE && counting(ttl[0])) || (wire[1] != IDLE && counting(ttl[1])) || counting(key)) ->
        for (j : 0 .. WIRES - 1) {
            if
            :: wire[j] != IDLE && counting(ttl[j]) -> ttl[j]--
            :: else
            fi
        }
        for (j : 0 .. TILLS - 1) {
            if
            :: counting(limit[j]) -> limit[j]--
            :: else
            fi
        }
        for (j : 0 .. G - 1) {
            if
            :: counting(quiet[j]) -> quiet[j]--
            :: else
            fi
        }
        if
        :: counting(key) -> key--
        :: else
        fi;
        j = 0
    }
    :: d_step { /* a restart: it is unknown how long the machine was off, so that the quiet period starts again */
        troubles < TROUBLES && nr > 0 && (quiet[0] || quiet[G / 2] || quiet[G - 1]) ->
        troubles++;
        for (j : 0 .. G - 1) {
            if
            :: counting(quiet[j]) ->
#ifdef CLOCK_OVER_RESTART /* what the clock says now is compared with what it said before the restart */
                quiet[j] = 0
#else
                quiet[j] = L + Q + 1
#endif
            :: else
            fi
        }
        j = 0
    }
#ifdef WALL_CLOCK /* silence by the clock on the wall, which a person sets */
    :: d_step { quiet[0] || quiet[G - 1] -> quiet[0] = 0; quiet[G - 1] = 0 }
#endif
    od
}

active proctype Webhooks() {
    byte k, g, e;
end:
    do
    :: atomic {
        if
        :: hook ? k, g, e
        :: hook ? < k, g, e > /* delivered twice */
        fi;
        if
        :: k == APPROVED ->
            real[g] = real[g] | HEARD;
            if
            :: BYNAME && !has(g, NAMED) ->
#ifdef NO_INBOX /* a notice that matches no name is dropped */
                skip
#else
                say(g, BOXED)
#endif
            :: else -> sayMoved(g); say(g, NAMED)
            fi
        :: k == LATER ->
            heardPending(g);
            if
            :: BYNAME && !has(g, NAMED) -> say(g, BOXEDP)
            :: else -> sayPending(g); say(g, NAMED)
            fi
#ifdef PUSHED_DUPLICATE /* a refusal that an executed first copy would cause as well decides like any other */
        :: (k == DECLINES || k == EXISTS) && !(BYNAME && !has(g, NAMED)) -> e = (TIED -> e : 2); sayDeclinedBy(g, e)
#else
        :: k == EXISTS
        :: k == DECLINES && !(BYNAME && !has(g, NAMED)) -> e = (TIED -> e : 2); sayDeclinedBy(g, e)
#endif
        :: k == DECLINES && BYNAME && !has(g, NAMED) ->
#if defined(NO_LOOKUP) || defined(PUSH_DECIDES)
            unsay(g, 7 * BOXEDNO);
            say(g, (TIED -> (e == 0 -> BOXEDNO : 2 * BOXEDNO) : 4 * BOXEDNO))
#else
            skip
#endif
#ifdef PUSHED_DUPLICATE
        :: k == EXISTS && BYNAME && !has(g, NAMED)
#endif
        fi;
        k = 0; g = 0; e = 0
    }
    od
}
