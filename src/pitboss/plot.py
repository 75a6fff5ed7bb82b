"""Charts for a slide: PNG or SVG."""
