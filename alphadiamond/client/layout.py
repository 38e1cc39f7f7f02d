"""Rows and columns: rectangles cut from the edges of a space, or side by side in equal parts."""

import pygame


class Space:
    """What is left of a rectangle while pieces are cut from its edges, each with a gap behind it."""

    def __init__(self, rect: pygame.Rect) -> None:
        self.rest = rect.copy()

    def top(self, height: int, gap: int = 0) -> pygame.Rect:
        rest = self.rest
        self.rest = pygame.Rect(rest.left, rest.top + height + gap, rest.width, rest.height - height - gap)
        return pygame.Rect(rest.left, rest.top, rest.width, height)

    def bottom(self, height: int, gap: int = 0) -> pygame.Rect:
        rest = self.rest
        self.rest = pygame.Rect(rest.left, rest.top, rest.width, rest.height - height - gap)
        return pygame.Rect(rest.left, rest.bottom - height, rest.width, height)

    def left(self, width: int, gap: int = 0) -> pygame.Rect:
        rest = self.rest
        self.rest = pygame.Rect(rest.left + width + gap, rest.top, rest.width - width - gap, rest.height)
        return pygame.Rect(rest.left, rest.top, width, rest.height)

    def right(self, width: int, gap: int = 0) -> pygame.Rect:
        rest = self.rest
        self.rest = pygame.Rect(rest.left, rest.top, rest.width - width - gap, rest.height)
        return pygame.Rect(rest.right - width, rest.top, width, rest.height)


def columns(rect: pygame.Rect, count: int, gap: int) -> list[pygame.Rect]:
    """Equal parts side by side."""
    width = (rect.width - gap * (count - 1)) // count
    return [pygame.Rect(rect.left + number * (width + gap), rect.top, width, rect.height) for number in range(count)]


def grid(rect: pygame.Rect, count: int, *, across: int, height: int, gap: int) -> list[pygame.Rect]:
    """Equal parts in rows of so many, from the top left."""
    row = pygame.Rect(rect.left, rect.top, rect.width, height)
    return [
        part.move(0, number * (height + gap))
        for number in range(-(-count // across))
        for part in columns(row, across, gap)
    ][:count]


def centred(size: tuple[int, int], inside: pygame.Rect) -> pygame.Rect:
    rect = pygame.Rect((0, 0), size)
    rect.center = inside.center
    return rect


def square(rect: pygame.Rect) -> pygame.Rect:
    """The largest square in the middle."""
    size = min(rect.width, rect.height)
    return centred((size, size), rect)
