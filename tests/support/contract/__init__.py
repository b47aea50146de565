"""What the contract tests of every built-in agent share: a recording box, a made-up session, logs in each form."""
