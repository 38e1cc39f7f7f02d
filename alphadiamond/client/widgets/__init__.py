"""The parts that scenes are made of."""

from alphadiamond.client.widgets.base import Widget
from alphadiamond.client.widgets.button import Button, IconButton
from alphadiamond.client.widgets.choices import Segments, Slider, Toggle
from alphadiamond.client.widgets.field import TextField
from alphadiamond.client.widgets.lists import Item, ItemList
from alphadiamond.client.widgets.texts import Label, Panel, Paragraph, ProgressBar

__all__ = [
    "Button",
    "IconButton",
    "Item",
    "ItemList",
    "Label",
    "Panel",
    "Paragraph",
    "ProgressBar",
    "Segments",
    "Slider",
    "TextField",
    "Toggle",
    "Widget",
]
