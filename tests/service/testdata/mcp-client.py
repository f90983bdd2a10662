"""A client of the official Python package: mcp-client.py ERA URL KEY SITE prints where
its own session is, and where one that it names is."""
import asyncio
import sys

era, url, key, site = sys.argv[1:]
headers = {"Authorization": "Bearer " + key}


async def visit(list_tools, call):
    said = [(await list_tools()).tools[0].name]

    async def text(tool, **args):
        return (await call(tool, args)).content[0].text

    await text("nav", url=site + "/form")
    said.append(await text("url"))
    if era == "modern":
        made = await call("session.create", {})
        session = made.structured_content["session_id"]
        await text("nav", url=site + "/?named", session=session)
        said += [await text("url", session=session), await text("url")]
    print(*said)


async def old():
    from mcp import ClientSession
    from mcp.client.streamable_http import streamablehttp_client

    async with streamablehttp_client(url, headers=headers) as (read, write, _):
        async with ClientSession(read, write) as session:
            await session.initialize()
            await visit(session.list_tools, session.call_tool)


async def new():
    import httpx2 as httpx
    from mcp.client import Client
    from mcp.client.streamable_http import streamable_http_client

    mode = "2026-07-28" if era == "modern" else "legacy"
    async with httpx.AsyncClient(headers=headers, timeout=60) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            await visit(client.list_tools, client.call_tool)


asyncio.run(old() if era == "first" else new())
