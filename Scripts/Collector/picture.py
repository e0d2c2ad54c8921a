"""A trace as a picture: a line for each span, with its parts below it."""

from html import escape

WIDTH, LEFT, ROW = 1_000, 390, 26
COLOURS = {"request": "#2563eb", "lookup": "#7c3aed", "decision": "#047857", "takeover": "#b45309"}


def draw(spans, attributes):
    """SVG of spans of one trace, which may come from several processes."""
    rows = []

    def place(parent, depth):
        for span in spans:
            if span.parent_span_id == parent:
                rows.append((span, depth))
                place(span.span_id, depth + 1)

    place(b"", 0)
    # A pause in which nothing happens, such as that between two processes, is drawn short.
    moments = sorted({moment for span in spans for moment in (span.start_time_unix_nano, span.end_time_unix_nano)})
    places, at = {}, 0.0
    for before, moment in zip([moments[0], *moments], moments):
        at += min((moment - before) / 1e6, 400) ** 0.5
        places[moment] = at
    scale = (WIDTH - LEFT - 20) / (at or 1)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {60 + ROW * len(rows)}" role="img" '
        'font-family="sans-serif" font-size="13" fill="#1f2937">',
        "<title>The trace of a sale with a lost reply and its recovery</title>",
        f'<rect width="{WIDTH}" height="{60 + ROW * len(rows)}" fill="#ffffff"/>',
        f'<text x="12" y="24" font-weight="bold">trace {spans[0].trace_id.hex()}</text>',
        f'<text x="{WIDTH - 12}" y="24" text-anchor="end">not to scale: short times are drawn longer</text>',
    ]
    for number, (span, depth) in enumerate(rows):
        top = 40 + ROW * number
        said = attributes(span)
        words = [str(said[key]) for key in (
            "payment.operation", "payment.try", "http.request.method", "http.response.status_code", "error.type",
            "payment.outcome") if key in said and not (key == "payment.operation" and span.name != "payment.operation")]
        colour = "#b91c1c" if span.status.code == 2 else COLOURS.get(span.name.removeprefix("payment."), "#374151")
        left = LEFT + places[span.start_time_unix_nano] * scale
        width = max((places[span.end_time_unix_nano] - places[span.start_time_unix_nano]) * scale, 3)
        milliseconds = (span.end_time_unix_nano - span.start_time_unix_nano) // 1_000_000
        lines += [
            f'<text x="{12 + 18 * depth}" y="{top + 15}">{escape(span.name.removeprefix("payment."))} '
            f'<tspan fill="{colour}">{escape(" ".join(words))}</tspan></text>',
            f'<rect x="{left:.1f}" y="{top + 3}" width="{width:.1f}" height="15" rx="2" fill="{colour}">'
            f"<title>{escape(span.name)}, {milliseconds} ms</title></rect>",
        ]
    return "\n".join([*lines, "</svg>", ""])
