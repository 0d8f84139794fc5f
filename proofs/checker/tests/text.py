"""The lines of plain certificates, and refusals of what they say."""

import re


class Refusal(ValueError):
    pass


def need(right, place, why):
    if not right:
        raise Refusal(f"{place}: {why}")


class Text:
    """The lines of a file, one after the other."""

    def __init__(self, data):
        self.data, self.begin, self.line, self.next = data, 0, 0, None

    def need(self, right, why):
        need(right, f"line {self.line}", why)

    def take(self, first):
        """The next line without its first word, or None if that is another."""
        if self.next is None:
            end = self.data.find(b"\n", self.begin)
            self.line += 1
            self.need(end >= 0, "expected a line with an end")
            try:
                self.next = self.data[self.begin : end].decode().split(" ")
            except UnicodeDecodeError:
                self.next = [""]
            self.need(all(self.next), "expected words of UTF-8 with one space between them")
            self.begin = end + 1
        if self.next[0] == first:
            words, self.next = self.next[1:], None
            return words

    def demand(self, first, count=None):
        words = self.take(first)
        self.need(words is not None, f"expected `{first}`")
        self.need(count in (None, len(words)), f"expected {count} words after `{first}`")
        return words

    def many(self, first):
        return iter(lambda: self.take(first), None)

    def number(self, word, low=0, high=2**64 - 1):
        right = re.fullmatch("0|[1-9][0-9]{0,19}", word) and low <= int(word) <= high
        self.need(right, f"expected a number from {low} to {high}, not {word}")
        return int(word)

    def numbers(self, words, count, low=0, high=2**64 - 1):
        self.need(len(words) == count, f"expected {count} numbers")
        return tuple(self.number(word, low, high) for word in words)
