// The page is a client like any other: it calls the tools over streamable HTTP.

const PROTOCOL = "2025-11-25";
const HELD = { token: "zapomni-token", workspace: "zapomni-workspace" };

/** The server wants a token, or another one than it got. */
export class TokenRequired extends Error {}

/** A tool has said why it cannot do what it was asked. */
export class ToolFailed extends Error {}

/** A connection to the tools; it opens by itself and again when the server has forgotten it. */
export class Tools {
  #session = null;
  #opening = null;
  #listing = null;
  #number = 0;

  get token() {
    return sessionStorage.getItem(HELD.token);
  }

  set token(value) {
    sessionStorage.setItem(HELD.token, value);
    this.#opening = this.#session = null;
  }

  get workspace() {
    return sessionStorage.getItem(HELD.workspace) ?? "";
  }

  set workspace(name) {
    sessionStorage.setItem(HELD.workspace, name);
  }

  /** List the tools by name, each with its schema. */
  list() {
    this.#listing ??= this.#request("tools/list", {}).then(
      (answer) => new Map(answer.tools.map((tool) => [tool.name, tool])),
    );
    this.#listing.catch(() => { this.#listing = null; });
    return this.#listing;
  }

  /** Call a tool and return its structured answer. */
  async call(name, args = {}, signal = undefined) {
    const given = await this.#inWorkspace(name, args);
    const answer = await this.#request("tools/call", { name, arguments: given }, signal);
    if (answer.isError) throw new ToolFailed(said(answer));
    return answer.structuredContent;
  }

  /** End the session when the page is left. */
  close() {
    if (!this.#session) return;
    fetch("/mcp", { method: "DELETE", headers: this.#headers(), keepalive: true }).catch(() => {});
    this.#opening = this.#session = null;
  }

  async #inWorkspace(name, args) {
    if (!this.workspace || "workspace" in args) return args;
    const tool = (await this.list()).get(name);
    return tool?.inputSchema.properties?.workspace ? { ...args, workspace: this.workspace } : args;
  }

  async #request(method, params, signal) {
    await this.#open();
    const used = this.#session;
    try {
      return await this.#post(method, params, signal);
    } catch (error) {
      if (!(error instanceof SessionGone)) throw error;
      if (this.#session === used) this.#opening = this.#session = null;
      await this.#open();
      return this.#post(method, params, signal);
    }
  }

  #open() {
    this.#opening ??= this.#initialize();
    this.#opening.catch(() => { this.#opening = null; });
    return this.#opening;
  }

  async #initialize() {
    const clientInfo = { name: "zapomni-page", version: "1" };
    await this.#post("initialize", { protocolVersion: PROTOCOL, capabilities: {}, clientInfo });
    await this.#send({ jsonrpc: "2.0", method: "notifications/initialized" });
  }

  async #post(method, params, signal) {
    const id = ++this.#number;
    const response = await this.#send({ jsonrpc: "2.0", id, method, params }, signal);
    const answer = await answerTo(id, response);
    if (answer.error) throw new ToolFailed(answer.error.message);
    return answer.result;
  }

  async #send(message, signal) {
    const request = { method: "POST", headers: this.#headers(), body: JSON.stringify(message), signal };
    const response = await fetch("/mcp", request).catch((error) => {
      if (error.name === "AbortError") throw error;
      throw new ToolFailed("The server does not answer. Is it still running?");
    });
    if (response.status === 401) throw new TokenRequired("The server wants a token.");
    if (response.status === 404 && this.#session) throw new SessionGone("The session has ended.");
    if (!response.ok) throw new ToolFailed(`The server refused (${response.status}): ${await response.text()}`);
    this.#session = response.headers.get("Mcp-Session-Id") ?? this.#session;
    return response;
  }

  #headers() {
    const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    if (this.#session) {
      headers["Mcp-Session-Id"] = this.#session;
      headers["MCP-Protocol-Version"] = PROTOCOL;
    }
    return headers;
  }
}

class SessionGone extends Error {}

function said(answer) {
  const text = answer.content.map((part) => part.text ?? "").join(" ");
  return text.replace(/^Error: /, "") || "The tool failed without a word.";
}

async function answerTo(id, response) {
  const body = await response.text();
  if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) return JSON.parse(body);
  for (const event of body.split(/\r?\n\r?\n/)) {
    const lines = event.split(/\r?\n/).filter((line) => line.startsWith("data:"));
    const data = lines.map((line) => line.slice(5).trimStart()).join("\n");
    const message = data ? JSON.parse(data) : {};
    if (message.id === id) return message;
  }
  throw new ToolFailed("The server ended the answer before it was whole. Try again.");
}
