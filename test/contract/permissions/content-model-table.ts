/** The part of the access table about the content model: the configuration of bundles and fields. Columns as in `access-table.ts`. */
export const contentModelTable = `
# the configuration of bundles and fields: whoever administers them
form display        GET      published                      401       403   403   403   403   200   403
form display        GET      never                          404       404   404   404   404   404   404
form display        HEAD     published                      401       403   403   403   403   200   403
form display        HEAD     never                          404       404   404   404   404   404   404
form display        POST     any                            405       405   405   405   405   405   405
form display        PATCH    any                            405       405   405   405   405   405   405
form display        PUT      any                            405       405   405   405   405   405   405
form display        DELETE   any                            405       405   405   405   405   405   405
form display        OPTIONS  any                            200       200   200   200   200   200   200

field               GET      published                      401       403   403   403   403   200   403
field               GET      never                          404       404   404   404   404   404   404
field               HEAD     published                      401       403   403   403   403   200   403
field               HEAD     never                          404       404   404   404   404   404   404
field               POST     any                            405       405   405   405   405   405   405
field               PATCH    any                            405       405   405   405   405   405   405
field               PUT      any                            405       405   405   405   405   405   405
field               DELETE   any                            405       405   405   405   405   405   405
field               OPTIONS  any                            200       200   200   200   200   200   200

field storage       GET      published                      401       403   403   403   403   200   403
field storage       GET      never                          404       404   404   404   404   404   404
field storage       HEAD     published                      401       403   403   403   403   200   403
field storage       HEAD     never                          404       404   404   404   404   404   404
field storage       POST     any                            405       405   405   405   405   405   405
field storage       PATCH    any                            405       405   405   405   405   405   405
field storage       PUT      any                            405       405   405   405   405   405   405
field storage       DELETE   any                            405       405   405   405   405   405   405
field storage       OPTIONS  any                            200       200   200   200   200   200   200

media type          GET      published                      401       403   403   403   403   200   403
media type          GET      never                          404       404   404   404   404   404   404
media type          HEAD     published                      401       403   403   403   403   200   403
media type          HEAD     never                          404       404   404   404   404   404   404
media type          POST     any                            405       405   405   405   405   405   405
media type          PATCH    any                            405       405   405   405   405   405   405
media type          PUT      any                            405       405   405   405   405   405   405
media type          DELETE   any                            405       405   405   405   405   405   405
media type          OPTIONS  any                            200       200   200   200   200   200   200

vocabulary          GET      published                      401       403   403   403   403   200   403
vocabulary          GET      never                          404       404   404   404   404   404   404
vocabulary          HEAD     published                      401       403   403   403   403   200   403
vocabulary          HEAD     never                          404       404   404   404   404   404   404
vocabulary          POST     any                            405       405   405   405   405   405   405
vocabulary          PATCH    any                            405       405   405   405   405   405   405
vocabulary          PUT      any                            405       405   405   405   405   405   405
vocabulary          DELETE   any                            405       405   405   405   405   405   405
vocabulary          OPTIONS  any                            200       200   200   200   200   200   200

content type        GET      published                      200       200   200   200   200   200   200
content type        GET      never                          404       404   404   404   404   404   404
content type        HEAD     published                      200       200   200   200   200   200   200
content type        HEAD     never                          404       404   404   404   404   404   404
content type        POST     any                            405       405   405   405   405   405   405
content type        PATCH    any                            405       405   405   405   405   405   405
content type        PUT      any                            405       405   405   405   405   405   405
content type        DELETE   any                            405       405   405   405   405   405   405
content type        OPTIONS  any                            200       200   200   200   200   200   200

# "use islandora workbench"
form of module      GET      published                      401       403   403   200   403   200   403
form of module      GET      never                          401       403   403   404   403   404   403
form of module      HEAD     published                      401       403   403   200   403   200   403
form of module      HEAD     never                          401       403   403   404   403   404   403
form of module      POST     any                            405       405   405   405   405   405   405
form of module      PATCH    any                            405       405   405   405   405   405   405
form of module      PUT      any                            405       405   405   405   405   405   405
form of module      DELETE   any                            405       405   405   405   405   405   405
form of module      OPTIONS  any                            200       200   200   200   200   200   200

field of module     GET      published                      401       403   403   200   403   200   403
field of module     GET      never                          401       403   403   404   403   404   403
field of module     HEAD     published                      401       403   403   200   403   200   403
field of module     HEAD     never                          401       403   403   404   403   404   403
field of module     POST     any                            405       405   405   405   405   405   405
field of module     PATCH    any                            405       405   405   405   405   405   405
field of module     PUT      any                            405       405   405   405   405   405   405
field of module     DELETE   any                            405       405   405   405   405   405   405
field of module     OPTIONS  any                            200       200   200   200   200   200   200

storage of module   GET      published                      401       403   403   200   403   200   403
storage of module   GET      never                          401       403   403   404   403   404   403
storage of module   HEAD     published                      401       403   403   200   403   200   403
storage of module   HEAD     never                          401       403   403   404   403   404   403
storage of module   POST     any                            405       405   405   405   405   405   405
storage of module   PATCH    any                            405       405   405   405   405   405   405
storage of module   PUT      any                            405       405   405   405   405   405   405
storage of module   DELETE   any                            405       405   405   405   405   405   405
storage of module   OPTIONS  any                            200       200   200   200   200   200   200

module version      GET      any                            401       403   403   200   403   200   403
module version      HEAD     any                            401       403   403   200   403   200   403
module version      POST     any                            405       405   405   405   405   405   405
module version      PATCH    any                            405       405   405   405   405   405   405
module version      PUT      any                            405       405   405   405   405   405   405
module version      DELETE   any                            405       405   405   405   405   405   405
module version      OPTIONS  any                            200       200   200   200   200   200   200

core version        GET      any                            401       403   403   200   403   200   403
core version        HEAD     any                            401       403   403   200   403   200   403
core version        POST     any                            405       405   405   405   405   405   405
core version        PATCH    any                            405       405   405   405   405   405   405
core version        PUT      any                            405       405   405   405   405   405   405
core version        DELETE   any                            405       405   405   405   405   405   405
core version        OPTIONS  any                            200       200   200   200   200   200   200

file hash           GET      any                            401       403   403   200   403   200   403
file hash           HEAD     any                            401       403   403   200   403   200   403
file hash           POST     any                            405       405   405   405   405   405   405
file hash           PATCH    any                            405       405   405   405   405   405   405
file hash           PUT      any                            405       405   405   405   405   405   405
file hash           DELETE   any                            405       405   405   405   405   405   405
file hash           OPTIONS  any                            200       200   200   200   200   200   200
`;
