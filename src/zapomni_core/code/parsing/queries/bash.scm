(function_definition) @def.function
(command name: (command_name (word)) @call)
(command name: (command_name (word)) argument: (_)) @import
