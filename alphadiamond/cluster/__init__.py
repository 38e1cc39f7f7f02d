"""Workers on many machines, by Ray: the engine `ray`. Nothing else imports this package or Ray."""
