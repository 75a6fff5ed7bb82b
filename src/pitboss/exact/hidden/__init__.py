"""The dealer's hidden hand, counted without dealing it.

At the end of a round let H be cards that no decision has seen, and let all that is asked of them be one comparison (the
dealer's strength against the player's) and a few things about the hidden hand itself (whether it qualifies). Some other
cards B matter to the hidden hand as well: a board, an up-card. The rest of what is seen, Q, matters to it in one way
only: those cards cannot be in it. So for a fixed B the hidden hands that avoid Q follow from counts of hidden hands by
what they contain:

    #{H without a card of Q, feature v} = sum over the subsets S of Q of (-1)^|S| * #{H that contain S, feature v}

Hidden hands are entered in rising order, one to a counter for each of their subsets; a player's hand of the strength
just reached is answered by a signed sum of counters. Everything is a whole number, and nothing is dealt twice.

- `duel` finds H, B, Q and what is asked of H in the graph: never by the name of a game;
- `deals` lists boards and hands, those that differ only in the names of suits once;
- `sights` says where the cards that a decision sees stand in its table;
- `counters` enters hidden hands and answers for the player's, `sweep` goes through all boards and hands in order, and
  `streamed` says what they come to: the three of them write a pass as machine code;
- `passes` runs it in threads, and takes the decisions from last to first.
"""
