"""Facts, their versions, cards, snapshots and topics."""
