"""The page on which a person looks at what the agents know: files only, it holds no data."""

from zapomni_mcp.web.routes import page_paths, page_routes

__all__ = ["page_paths", "page_routes"]
