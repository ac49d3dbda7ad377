(groovy_package) @package
(class_definition) @def.class
(function_definition) @def.function
(function_call function: [(identifier) (dotted_identifier)] @call)
(groovy_import) @import
