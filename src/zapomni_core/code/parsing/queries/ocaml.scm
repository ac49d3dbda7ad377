(let_binding (parameter)) @def.function
(module_binding) @def.module
(type_binding) @def.type
(class_binding) @def.class
(method_definition) @def.method
(application_expression function: (value_path) @call)
(open_module) @import
