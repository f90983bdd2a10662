"""What a client does with `pwpipe serve`, in Python. Start a service first:

    API_KEY=dev-key-123 pwpipe serve --site

and then run this where pwpipe is installed by pip.
"""

import os
from pathlib import Path

from pwpipe import PwpipeError, Service

service = Service(os.environ.get("API", "http://127.0.0.1:3337"), key=os.environ.get("API_KEY", "dev-key-123"))

# A session is a browser context of its own. It is closed whatever happens.
with service.open(viewport={"width": 1024, "height": 768}) as session:
    session.nav("/projects")
    session.click('role=button[name="New Project"]')
    session.fill(sel="#project", val="Fog bell")
    session.press("Enter", "#project")
    print(session.txt("[data-testid=projects]"))

    # A file is written on the service's machine, and read from there.
    Path("projects.png").write_bytes(session.file("shot", {"path": os.environ.get("SHOT", "projects.png")}))

    # Another page, in a context of its own.
    page = session.page(session.new_page(session.new_ctx()))
    page.nav("/form")
    print(page.title(), "|", session.title())

    # What the pages logged and requested since the last time.
    session.eval('console.log("the lamp is lit")')
    print(session.logs_pull()["console"][0]["text"])

    # A failed call has pwpipe's message.
    try:
        session.call("txt", ["#nothing"], timeout=1)
    except PwpipeError as err:
        print(f"{err.kind}: {err}")
