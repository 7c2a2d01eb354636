"""Tables that go on over PDF pages: which belong together, their last rows, their heads repeated."""
