"""A table as text for the terminal and as Markdown for the documentation, and its place in a page.

A page holds a table between two lines, `<!-- bench NAME -->` and `<!-- bench end -->`; what is between them is
replaced, everything else is left as it is.
"""
import re


class Table:
    def __init__(self, name, title, columns, rows, notes=()):
        self.name, self.title, self.columns = name, title, columns
        self.rows = [[str(cell) for cell in row] for row in rows]
        self.notes = [note for note in notes if note]

    def text(self):
        widths = [max(len(row[i]) for row in [self.columns, *self.rows]) for i in range(len(self.columns))]
        numeric = [all(re.match(r"[-~<>]?[\d.]|n/a|-$|$", row[i]) for row in self.rows) for i in range(len(widths))]
        line = lambda row: "  ".join(cell.rjust(w) if right else cell.ljust(w)
                                     for cell, w, right in zip(row, widths, numeric)).rstrip()
        return "\n".join([self.title, "", line(self.columns), line(["-" * w for w in widths]),
                          *map(line, self.rows), *(f"  {note}" for note in self.notes), ""])

    def markdown(self, origin):
        line = lambda row: "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
        return "\n".join([line(self.columns), "|" + "---|" * len(self.columns), *map(line, self.rows), "",
                          *(f"{note}\n" for note in self.notes), f"*{origin}*"])


def put_into(page, tables, origin):
    """Writes each table to its place in the page; gives the names that have none."""
    text = page.read_text(encoding="utf-8")
    missing = []
    for table in tables:
        place = re.compile(rf"(<!-- bench {table.name} -->\n).*?(<!-- bench end -->)", re.DOTALL)
        if not place.search(text):
            missing.append(table.name)
        text = place.sub(lambda m, t=table: m[1] + t.markdown(origin) + "\n" + m[2], text)
    page.write_text(text, encoding="utf-8")
    return missing
