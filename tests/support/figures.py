"""What must hold for every figure that matplotlib draws: its texts are legible, inside it, and apart."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import numpy as np

LEAST_POINTS = 8.0
"""The size below which printed text is hard to read."""


def drawn_texts(figure: Any) -> list[Any]:
    """Return the texts that drawing a figure draws."""
    from matplotlib.text import Text

    texts: list[Any] = []
    draw = Text.draw

    def record(text: Any, renderer: Any) -> None:
        if text.get_visible() and text.get_text().strip():
            texts.append(text)
        draw(text, renderer)

    with patch.object(Text, "draw", record):
        figure.canvas.draw()
    return texts


def check_texts(figure: Any) -> list[str]:
    """Fail if a text of a figure is too small, leaves the figure or touches another; return the texts."""
    texts = drawn_texts(figure)
    width, height = figure.bbox.width, figure.bbox.height
    corners = [_corners(text) for text in texts]
    for text, points in zip(texts, corners, strict=True):
        assert text.get_fontsize() >= LEAST_POINTS, text
        assert points.min() >= -1, text
        assert points[:, 0].max() <= width + 1, text
        assert points[:, 1].max() <= height + 1, text
    for one, other in _neighbours(np.array(corners)):
        assert _are_apart(corners[one], corners[other]), (texts[one], texts[other])
    return [text.get_text() for text in texts]


def _neighbours(corners: Any) -> Any:
    """Return the pairs of texts whose upright bounding boxes overlap: only these can touch."""
    low, high = corners.min(axis=1), corners.max(axis=1)
    overlaps = ((low[:, None] < high[None]) & (low[None] < high[:, None])).all(axis=2)
    return np.argwhere(np.triu(overlaps, 1)).tolist()


def _corners(text: Any) -> Any:
    """Return the corners of a text, of a rotated one those of its slanted box."""
    angle = np.radians(text.get_rotation())
    if text.get_rotation_mode() != "anchor" or not angle:
        return np.array(text.get_window_extent().corners())
    text.set_rotation(0)
    corners = np.array(text.get_window_extent().corners())
    text.set_rotation(np.degrees(angle))
    anchor = text.get_transform().transform(text.get_position())
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return (corners - anchor) @ turn + anchor


def _are_apart(one: Any, other: Any) -> bool:
    """Whether a line along an edge of one of the two boxes separates them."""
    for corners in (one, other):
        for edge in (corners[1] - corners[0], corners[2] - corners[0]):
            first, second = one @ edge, other @ edge
            slack = 0.5 * np.linalg.norm(edge)  # half a pixel
            if first.max() <= second.min() + slack or second.max() <= first.min() + slack:
                return True
    return False
