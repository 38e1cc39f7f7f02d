"""The client side of play over the network: messages, a game's state from them, a client that comes back by itself, and
a bot to begin from.

`docs/reference/online-protocol.md` describes the protocol.
What needs the extra [online] is imported only where it is used.
"""
