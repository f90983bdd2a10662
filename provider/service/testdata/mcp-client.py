"""A client of the official Python package: mcp-client.py ERA SERVER KEY SITE FILE prints
where its own session is, what the picture is that it has written to FILE and reads as a
resource, and over HTTP where a session is that it names. SERVER is a URL, or a program."""
import asyncio
import base64
import sys

era, server, key, site, file = sys.argv[1:]
headers = {"Authorization": "Bearer " + key}
http = server.startswith("http:")


async def visit(client):
    said = [(await client.list_tools()).tools[0].name]

    async def text(tool, **args):
        return (await client.call_tool(tool, args)).content[0].text

    await text("nav", url=site + "/form")
    said.append(await text("url"))
    shot = await client.call_tool("shot", {"path": file})
    link = next(c for c in shot.content if c.type == "resource_link")
    listed = next(r for r in (await client.list_resources()).resources if str(r.uri) == str(link.uri))
    picture = (await client.read_resource(listed.uri)).contents[0].model_dump(by_alias=True)
    said += [picture["mimeType"], base64.b64decode(picture["blob"])[1:4].decode()]
    if http and era == "modern":
        made = await client.call_tool("session.create", {})
        session = made.structured_content["session_id"]
        await text("nav", url=site + "/?named", session=session)
        said += [await text("url", session=session), await text("url")]
    print(*said)


def program():
    from mcp.client.stdio import StdioServerParameters, stdio_client

    return stdio_client(StdioServerParameters(command=server))


async def old():
    from mcp import ClientSession
    from mcp.client.streamable_http import streamablehttp_client

    async with (streamablehttp_client(server, headers=headers) if http else program()) as streams:
        async with ClientSession(streams[0], streams[1]) as session:
            await session.initialize()
            await visit(session)


async def new():
    import httpx2 as httpx
    from mcp.client import Client
    from mcp.client.streamable_http import streamable_http_client

    mode = "2026-07-28" if era == "modern" else "legacy"
    async with httpx.AsyncClient(headers=headers, timeout=60) as web:
        async with Client(streamable_http_client(server, http_client=web) if http else program(), mode=mode) as client:
            await visit(client)


asyncio.run(old() if era == "first" else new())
