"""Forbidden strings: what a path may go on with, and dead ends."""

import functools
import itertools

from puzzles import INFINITE


class Strings:
    """The forbidden strings. Of a path they see the longest end that begins one of them."""

    def __init__(self, forbidden, costs):
        self.forbidden, self.costs = forbidden, costs
        self.begins = {string[:n] for string in forbidden for n in range(len(string))} | {()}

    @functools.cache
    def follow(self, path, move):
        """What the strings see of a path after a move, or None if it completes one of them."""
        ends = [(*path, move)[n:] for n in range(len(path) + 2)]
        if any(end in self.forbidden for end in ends):
            return None
        return next(end for end in ends if end in self.begins)

    @functools.cached_property
    def farthest(self):
        """The greatest cost of the ways on from each path, infinite from 254 on."""
        found, more = {}, True
        ways = {path: [] for path in self.begins}
        for path, move in itertools.product(ways, range(len(self.costs))):
            if self.follow(path, move) is not None:
                ways[path].append((self.costs[move], self.follow(path, move)))
        while more:
            more = {
                path: max((cost + found[end] for cost, end in on), default=0)
                for path, on in ways.items()
                if path not in found and all(end in found for _, end in on)
            }
            found |= more
        costs = ((path, found.get(path, INFINITE)) for path in ways)
        return {path: INFINITE if cost >= 254 else cost for path, cost in costs}
