"""How far scores agree with human judgements."""
