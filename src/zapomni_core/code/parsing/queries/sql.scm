(create_table) @def.table
(create_function) @def.function
[(create_view) (create_materialized_view)] @def.view
