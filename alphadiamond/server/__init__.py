"""Games between people and bots over WebSockets. It needs the extra [server]."""
