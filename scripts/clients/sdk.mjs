// Remember and recall through the TypeScript SDK's client.
// Usage: node sdk.mjs SDK-FOLDER TEXT stdio COMMAND... | sse URL | http URL
const [, , folder, text, transport, ...target] = process.argv;
const load = (name) => import(`${folder}/dist/esm/client/${name}.js`);

async function open() {
  switch (transport) {
    case "stdio": {
      const { StdioClientTransport } = await load("stdio");
      const [command, ...args] = target;
      return new StdioClientTransport({ command, args, env: process.env });
    }
    case "sse": {
      const { SSEClientTransport } = await load("sse");
      return new SSEClientTransport(new URL(target[0]));
    }
    default: {
      const { StreamableHTTPClientTransport } = await load("streamableHttp");
      return new StreamableHTTPClientTransport(new URL(target[0]));
    }
  }
}

const { Client } = await load("index");
const client = new Client({ name: "zapomni-check", version: "1" });
await client.connect(await open());
const { tools } = await client.listTools();
await client.callTool({ name: "add_memory", arguments: { text } });
const found = await client.callTool({ name: "search_memory", arguments: { query: text } });
await client.close();
if (tools.length === 0 || !JSON.stringify(found).includes(text)) {
  throw new Error(`The memory did not come back: ${JSON.stringify(found)}`);
}
