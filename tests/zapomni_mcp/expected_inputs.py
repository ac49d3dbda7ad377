"""The input schemas that clients are to see, tool by tool."""

from typing import Any

TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
MOMENT = {"type": "string", "format": "date-time"}
DAY = {"type": "string", "format": "date"}
LONG_TEXT = {"type": "string", "minLength": 1, "maxLength": 10_000_000}
NAME = {"type": "string", "minLength": 1, "maxLength": 1000}
SEVERAL_NAMES = {"type": "array", "items": NAME, "maxItems": 100}
METADATA = {
    "type": "object",
    "properties": {
        "source": TEXT,
        "tags": TEXTS,
        "timestamp": MOMENT,
        "language": TEXT,
        "session": TEXT,
        "position": {"type": "integer"},
        "speaker": TEXT,
        "ttl": TEXT,
        "expires": MOMENT,
        "pinned": {"type": "boolean"},
    },
    "additionalProperties": True,
}
MEMORY_ID = {"type": "string", "format": "uuid"}
NO = {"type": "boolean", "default": False}
FILTERS = {
    "type": "object",
    "properties": {"tags": TEXTS, "source": TEXT, "date_from": DAY, "date_to": DAY},
    "additionalProperties": False,
}
NOTHING = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}

DESTRUCTIVE = {
    "update_memory",
    "delete_memory",
    "clear_all",
    "prune_memory",
    "delete_workspace",
}
INPUTS: dict[str, dict[str, Any]] = {
    "add_memory": {
        "type": "object",
        "properties": {"text": LONG_TEXT, "metadata": METADATA},
        "required": ["text"],
        "additionalProperties": False,
    },
    "add_document": {
        "type": "object",
        "properties": {
            "path": {"type": "string", "minLength": 1, "maxLength": 4096},
            "text": LONG_TEXT,
            "name": NAME,
            "tags": SEVERAL_NAMES,
            "metadata": METADATA,
            "exclude": SEVERAL_NAMES,
        },
        "required": [],
        "additionalProperties": False,
    },
    "search_memory": {
        "type": "object",
        "properties": {
            "query": {"type": "string", "minLength": 1, "maxLength": 1000},
            "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10},
            "filters": FILTERS,
            "min_score": {"type": "number", "minimum": 0.0, "maximum": 1.0, "default": 0.0},
            "max_tokens": {"type": "integer", "minimum": 16},
            "explain": {"type": "boolean", "default": False},
        },
        "required": ["query"],
        "additionalProperties": False,
    },
    "get_stats": NOTHING,
    "get_memory": {
        "type": "object",
        "properties": {
            "memory_id": MEMORY_ID,
            "max_chars": {"type": "integer", "minimum": 1},
            "full_history": NO,
        },
        "required": ["memory_id"],
        "additionalProperties": False,
    },
    "list_memories": {
        "type": "object",
        "properties": {
            "filters": FILTERS,
            "order": {
                "type": "string",
                "enum": ["newest", "oldest", "last_added", "first_added"],
                "default": "newest",
            },
            "cursor": TEXT,
            "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
            "with_counts": NO,
        },
        "required": [],
        "additionalProperties": False,
    },
    "update_memory": {
        "type": "object",
        "properties": {"memory_id": MEMORY_ID, "text": LONG_TEXT, "metadata": METADATA},
        "required": ["memory_id"],
        "additionalProperties": False,
    },
    "delete_memory": {
        "type": "object",
        "properties": {"memory_id": MEMORY_ID, "confirm": NO, "erase": NO},
        "required": ["memory_id"],
        "additionalProperties": False,
    },
    "clear_all": {
        "type": "object",
        "properties": {"phrase": TEXT, "erase": NO},
        "required": ["phrase"],
        "additionalProperties": False,
    },
    "prune_memory": {
        "type": "object",
        "properties": {
            "kinds": {
                "type": "array",
                "items": {
                    "type": "string",
                    "enum": ["expired", "orphans", "history", "code", "gone_files"],
                },
            },
            "dry_run": {"type": "boolean", "default": True},
            "older_than_days": {"type": "integer", "minimum": 0, "default": 90},
            "path": NAME,
        },
        "required": [],
        "additionalProperties": False,
    },
    "build_graph": {
        "type": "object",
        "properties": {
            "text": LONG_TEXT,
            "memory_ids": TEXTS,
            "metadata": METADATA,
            "cancel_job": TEXT,
        },
        "required": [],
        "additionalProperties": False,
    },
    "get_related": {
        "type": "object",
        "properties": {
            "entity": NAME,
            "depth": {"type": "integer", "minimum": 1, "maximum": 5, "default": 1},
            "relations": TEXTS,
            "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
            "as_of": TEXT,
        },
        "required": ["entity"],
        "additionalProperties": False,
    },
    "graph_status": NOTHING,
    "export_graph": {
        "type": "object",
        "properties": {
            "format": {
                "type": "string",
                "enum": ["graphml", "cytoscape", "cypher", "jsonld", "json"],
                "default": "json",
            },
            "file_name": {"type": "string", "pattern": r"^[\w-][\w.-]{0,99}$"},
        },
        "required": [],
        "additionalProperties": False,
    },
    "keep_fact": {
        "type": "object",
        "properties": {"fact_id": NAME, "keep": {"type": "boolean", "default": True}},
        "required": ["fact_id"],
        "additionalProperties": False,
    },
    "set_model": {
        "type": "object",
        "properties": {"model": NAME},
        "required": [],
        "additionalProperties": False,
    },
    "index_codebase": {
        "type": "object",
        "properties": {
            "path": {"type": "string", "minLength": 1, "maxLength": 4096},
            "languages": SEVERAL_NAMES,
            "exclude": SEVERAL_NAMES,
            "full": NO,
            "cancel_job": NAME,
        },
        "required": [],
        "additionalProperties": False,
    },
    "search_code": {
        "type": "object",
        "properties": {
            "repository": NAME,
            "query": NAME,
            "kinds": SEVERAL_NAMES,
            "languages": SEVERAL_NAMES,
            "path": NAME,
            "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10},
            "explain": NO,
        },
        "required": ["query"],
        "additionalProperties": False,
    },
    "get_symbol": {
        "type": "object",
        "properties": {"repository": NAME, "symbol": NAME},
        "required": ["symbol"],
        "additionalProperties": False,
    },
    "get_call_graph": {
        "type": "object",
        "properties": {
            "repository": NAME,
            "symbol": NAME,
            "direction": {
                "type": "string",
                "enum": ["callers", "callees", "impact"],
                "default": "callers",
            },
            "depth": {"type": "integer", "minimum": 1, "maximum": 5},
            "guesses": {"type": "boolean", "default": True},
            "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 50},
        },
        "required": ["symbol"],
        "additionalProperties": False,
    },
    "code_overview": {
        "type": "object",
        "properties": {
            "repository": NAME,
            "max_tokens": {"type": "integer", "minimum": 16, "default": 2000},
        },
        "required": [],
        "additionalProperties": False,
    },
    "code_status": NOTHING,
    "list_jobs": NOTHING,
    "control_job": {
        "type": "object",
        "properties": {
            "job_id": {"type": "string", "minLength": 1, "maxLength": 64},
            "action": {"type": "string", "enum": ["cancel", "resume"]},
        },
        "required": ["job_id", "action"],
        "additionalProperties": False,
    },
}
WORKSPACE_INPUTS: dict[str, dict[str, Any]] = {
    "list_workspaces": NOTHING,
    "create_workspace": {
        "type": "object",
        "properties": {"name": TEXT, "description": {"type": "string", "maxLength": 500}},
        "required": ["name"],
        "additionalProperties": False,
    },
    "set_current_workspace": {
        "type": "object",
        "properties": {"name": TEXT},
        "required": ["name"],
        "additionalProperties": False,
    },
    "delete_workspace": {
        "type": "object",
        "properties": {"name": TEXT, "confirm": TEXT},
        "required": ["name", "confirm"],
        "additionalProperties": False,
    },
}
