/** Who gets which status: the access specification as a table to be read. How a cell becomes a request is `table.test.ts`. */

/** The columns. `blocked` sends a token of a blocked account: credentials that are refused. */
export const identities = ['anonymous', 'plain', 'viewer', 'editor', 'owner', 'admin', 'blocked'] as const;
export type IdentityName = (typeof identities)[number];

/**
 * One line per resource, method and states; then the statuses of `identities`. Published and unpublished things belong
 * to `owner`; `foreign` ones are published and the admin's, `secret` ones unpublished and the admin's, `editors` are the
 * editor's; `deleted` was there, `never` was not; `any` is every state of the resource. The statuses are
 * those of the real site.
 */
export const accessTable = `
# resource          method   states                 anonymous plain viewer editor owner admin blocked

nodes               GET      any                          405   405    405    405   405   405     405
nodes               HEAD     any                          405   405    405    405   405   405     405
nodes               POST     any                          401   403    403    201   201   201     403
nodes               PATCH    any                          405   405    405    405   405   405     405
nodes               PUT      any                          405   405    405    405   405   405     405
nodes               DELETE   any                          405   405    405    405   405   405     405
nodes               OPTIONS  any                          200   200    200    200   200   200     200

node                GET      published,foreign            200   200    200    200   200   200     200
node                GET      unpublished                  401   403    403    403   200   200     403
node                GET      secret                       401   403    403    403   403   200     403
node                GET      deleted,never                404   404    404    404   404   404     404
node                HEAD     published,foreign            200   200    200    200   200   200     200
node                HEAD     unpublished                  401   403    403    403   200   200     403
node                HEAD     secret                       401   403    403    403   403   200     403
node                HEAD     deleted,never                404   404    404    404   404   404     404
node                PATCH    published,unpublished        401   403    403    200   200   200     403
node                PATCH    foreign,secret               401   403    403    200   403   200     403
node                PATCH    deleted,never                404   404    404    404   404   404     404
node                DELETE   published,unpublished        401   403    403    204   204   204     403
node                DELETE   foreign,secret               401   403    403    204   403   204     403
node                DELETE   deleted,never                404   404    404    404   404   404     404
node                POST     any                          405   405    405    405   405   405     405
node                PUT      any                          405   405    405    405   405   405     405
node                OPTIONS  any                          200   200    200    200   200   200     200

media               GET      published,foreign            401   403    200    200   200   200     403
media               GET      unpublished                  401   403    403    403   200   200     403
media               GET      secret                       401   403    403    403   403   200     403
media               GET      deleted,never                404   404    404    404   404   404     404
media               HEAD     published,foreign            401   403    200    200   200   200     403
media               HEAD     unpublished                  401   403    403    403   200   200     403
media               HEAD     secret                       401   403    403    403   403   200     403
media               HEAD     deleted,never                404   404    404    404   404   404     404
media               PATCH    published,unpublished        401   403    403    200   200   200     403
media               PATCH    foreign,secret               401   403    403    200   403   200     403
media               PATCH    deleted,never                404   404    404    404   404   404     404
media               DELETE   published,unpublished        401   403    403    204   204   204     403
media               DELETE   foreign,secret               401   403    403    204   403   204     403
media               DELETE   deleted,never                404   404    404    404   404   404     404
media               POST     any                          405   405    405    405   405   405     405
media               PUT      any                          405   405    405    405   405   405     405
media               OPTIONS  any                          200   200    200    200   200   200     200

# whoever may read the entity
node linkset        GET      published,foreign             200       200   200    200    200   200     200
node linkset        GET      unpublished                   401       403   403    403    200   200     403
node linkset        GET      deleted,never                 404       404   404    404    404   404     404
node linkset        HEAD     published,foreign             200       200   200    200    200   200     200
node linkset        HEAD     unpublished                   401       403   403    403    200   200     403
node linkset        HEAD     deleted,never                 404       404   404    404    404   404     404
node linkset        POST     any                           405       405   405    405    405   405     405
node linkset        PATCH    any                           405       405   405    405    405   405     405
node linkset        PUT      any                           405       405   405    405    405   405     405
node linkset        DELETE   any                           405       405   405    405    405   405     405
node linkset        OPTIONS  any                           200       200   200    200    200   200     200

media linkset       GET      published,foreign             401       403   200    200    200   200     403
media linkset       GET      unpublished                   401       403   403    403    200   200     403
media linkset       GET      deleted,never                 404       404   404    404    404   404     404
media linkset       HEAD     published,foreign             401       403   200    200    200   200     403
media linkset       HEAD     unpublished                   401       403   403    403    200   200     403
media linkset       HEAD     deleted,never                 404       404   404    404    404   404     404
media linkset       POST     any                           405       405   405    405    405   405     405
media linkset       PATCH    any                           405       405   405    405    405   405     405
media linkset       PUT      any                           405       405   405    405    405   405     405
media linkset       DELETE   any                           405       405   405    405    405   405     405
media linkset       OPTIONS  any                           200       200   200    200    200   200     200

# nobody may create the record of a file
files               POST     any                          401   403    403    403   403   403     403
files               GET      any                          405   405    405    405   405   405     405
files               HEAD     any                          405   405    405    405   405   405     405
files               PATCH    any                          405   405    405    405   405   405     405
files               PUT      any                          405   405    405    405   405   405     405
files               DELETE   any                          405   405    405    405   405   405     405
files               OPTIONS  any                          200   200    200    200   200   200     200

public file         GET      published,unpublished        200   200    200    200   200   200     200
public file         GET      foreign,editors              200   200    200    200   200   200     200
public file         GET      deleted,never                404   404    404    404   404   404     404
public file         HEAD     published,unpublished        200   200    200    200   200   200     200
public file         HEAD     foreign,editors              200   200    200    200   200   200     200
public file         HEAD     deleted,never                404   404    404    404   404   404     404
public file         DELETE   published,unpublished        401   403    403    403   403   204     403
public file         DELETE   foreign                      401   403    403    403   403   204     403
public file         DELETE   editors                      401   403    403    204   403   204     403
public file         DELETE   deleted,never                404   404    404    404   404   404     404
public file         POST     any                          405   405    405    405   405   405     405
public file         PATCH    any                          405   405    405    405   405   405     405
public file         PUT      any                          405   405    405    405   405   405     405
public file         OPTIONS  any                          200   200    200    200   200   200     200

external file       GET      published,foreign,editors    401   403    200    200   200   200     403
external file       GET      unpublished                  401   403    403    403   200   200     403
external file       GET      deleted,never                404   404    404    404   404   404     404
external file       HEAD     published,foreign,editors    401   403    200    200   200   200     403
external file       HEAD     unpublished                  401   403    403    403   200   200     403
external file       HEAD     deleted,never                404   404    404    404   404   404     404
external file       DELETE   published,unpublished        401   403    403    403   403   204     403
external file       DELETE   foreign                      401   403    403    403   403   204     403
external file       DELETE   editors                      401   403    403    204   403   204     403
external file       DELETE   deleted,never                404   404    404    404   404   404     404
external file       POST     any                          405   405    405    405   405   405     405
external file       PATCH    any                          405   405    405    405   405   405     405
external file       PUT      any                          405   405    405    405   405   405     405
external file       OPTIONS  any                          200   200    200    200   200   200     200

# changed and deleted by whoever may "edit terms in" and "delete terms in": none of the demo roles
term                GET      published                    200   200    200    200   200   200     200
term                GET      unpublished                  401   403    403    403   403   200     403
term                GET      deleted,never                404   404    404    404   404   404     404
term                HEAD     published                    200   200    200    200   200   200     200
term                HEAD     unpublished                  401   403    403    403   403   200     403
term                HEAD     deleted,never                404   404    404    404   404   404     404
term                PATCH    published,unpublished        401   403    403    403   403   200     403
term                PATCH    deleted,never                404   404    404    404   404   404     404
term                DELETE   published,unpublished        401   403    403    403   403   204     403
term                DELETE   deleted,never                404   404    404    404   404   404     404
term                POST     any                          405   405    405    405   405   405     405
term                PUT      any                          405   405    405    405   405   405     405
term                OPTIONS  any                          200   200    200    200   200   200     200

# the account "plain" is published, the account "blocked" is not
user                GET      published                    401   200    200    200   403   200     403
user                GET      unpublished                  401   403    403    403   403   200     403
user                GET      deleted,never                404   404    404    404   404   404     404
user                HEAD     published                    401   200    200    200   403   200     403
user                HEAD     unpublished                  401   403    403    403   403   200     403
user                HEAD     deleted,never                404   404    404    404   404   404     404
user                POST     any                          405   405    405    405   405   405     405
user                PATCH    any                          405   405    405    405   405   405     405
user                PUT      any                          405   405    405    405   405   405     405
user                DELETE   any                          405   405    405    405   405   405     405
user                OPTIONS  any                          200   200    200    200   200   200     200

# the state is the node's; "occupied" is published and has a media of that use already
upload              PUT      published,unpublished        401   403    403    201   201   201     403
upload              PUT      foreign                      401   403    403    201   403   201     403
upload              PUT      occupied                     401   403    403    204   204   204     403
upload              PUT      deleted,never                404   404    404    404   404   404     404
upload              GET      any                          405   405    405    405   405   405     405
upload              HEAD     any                          405   405    405    405   405   405     405
upload              POST     any                          405   405    405    405   405   405     405
upload              PATCH    any                          405   405    405    405   405   405     405
upload              DELETE   any                          405   405    405    405   405   405     405
upload              OPTIONS  any                          200   200    200    200   200   200     200

# literally "update media", whoever owns the media
source              PUT      published,unpublished        401   403    403    204   204   204     403
source              PUT      foreign                      401   403    403    204   204   204     403
source              PUT      deleted,never                404   404    404    404   404   404     404
source              GET      any                          405   405    405    405   405   405     405
source              HEAD     any                          405   405    405    405   405   405     405
source              POST     any                          405   405    405    405   405   405     405
source              PATCH    any                          405   405    405    405   405   405     405
source              DELETE   any                          405   405    405    405   405   405     405
source              OPTIONS  any                          200   200    200    200   200   200     200

# public is public: whoever knows the address
public content      GET      published,unpublished        200   200    200    200   200   200     200
public content      GET      deleted,never                404   404    404    404   404   404     404
public content      HEAD     published,unpublished        200   200    200    200   200   200     200
public content      HEAD     deleted,never                404   404    404    404   404   404     404
public content      POST     any                          405   405    405    405   405   405     405
public content      PATCH    any                          405   405    405    405   405   405     405
public content      PUT      any                          405   405    405    405   405   405     405
public content      DELETE   any                          405   405    405    405   405   405     405
public content      OPTIONS  any                          200   200    200    200   200   200     200

external content    GET      published,foreign            401   403    200    200   200   200     403
external content    GET      unpublished                  401   403    403    403   200   200     403
external content    GET      deleted,never                404   404    404    404   404   404     404
external content    HEAD     published,foreign            401   403    200    200   200   200     403
external content    HEAD     unpublished                  401   403    403    403   200   200     403
external content    HEAD     deleted,never                404   404    404    404   404   404     404
external content    POST     any                          405   405    405    405   405   405     405
external content    PATCH    any                          405   405    405    405   405   405     405
external content    PUT      any                          405   405    405    405   405   405     405
external content    DELETE   any                          405   405    405    405   405   405     405
external content    OPTIONS  any                          200   200    200    200   200   200     200

token               GET      any                          401   200    200    200   200   200     403
token               HEAD     any                          401   200    200    200   200   200     403
token               POST     any                          401   200    200    200   200   200     403
token               PATCH    any                          405   405    405    405   405   405     405
token               PUT      any                          405   405    405    405   405   405     405
token               DELETE   any                          405   405    405    405   405   405     405
token               OPTIONS  any                          200   200    200    200   200   200     200

# the identities come by Bearer: who is known is logged in already; who is refused may try again
login               POST     any                          200   403    403    403   403   403     200
login               GET      any                          405   405    405    405   405   405     405
login               HEAD     any                          405   405    405    405   405   405     405
login               PATCH    any                          405   405    405    405   405   405     405
login               PUT      any                          405   405    405    405   405   405     405
login               DELETE   any                          405   405    405    405   405   405     405
login               OPTIONS  any                          200   200    200    200   200   200     200

# nobody here has a session to end
logout              POST     any                          403   403    403    403   403   403     403
logout              GET      any                          405   405    405    405   405   405     405
logout              HEAD     any                          405   405    405    405   405   405     405
logout              PATCH    any                          405   405    405    405   405   405     405
logout              PUT      any                          405   405    405    405   405   405     405
logout              DELETE   any                          405   405    405    405   405   405     405
logout              OPTIONS  any                          200   200    200    200   200   200     200

# of the provider "cookie" only: accepted credentials of another one are refused, anonymous visitors are not
login status        GET      any                          200   200    200    200   200   200     200
login status        HEAD     any                          200   200    200    200   200   200     200
login status        POST     any                          405   405    405    405   405   405     405
login status        PATCH    any                          405   405    405    405   405   405     405
login status        PUT      any                          405   405    405    405   405   405     405
login status        DELETE   any                          405   405    405    405   405   405     405
login status        OPTIONS  any                          200   200    200    200   200   200     200

session token       GET      any                          200   200    200    200   200   200     200
session token       HEAD     any                          200   200    200    200   200   200     200
session token       POST     any                          200   200    200    200   200   200     200
session token       PATCH    any                          405   405    405    405   405   405     405
session token       PUT      any                          405   405    405    405   405   405     405
session token       DELETE   any                          405   405    405    405   405   405     405
session token       OPTIONS  any                          200   200    200    200   200   200     200

# beyond the contract from here on; "create terms in" any vocabulary
terms               POST     any                          401   403    403    201   403   201     403
terms               GET      any                          405   405    405    405   405   405     405
terms               HEAD     any                          405   405    405    405   405   405     405
terms               PATCH    any                          405   405    405    405   405   405     405
terms               PUT      any                          405   405    405    405   405   405     405
terms               DELETE   any                          405   405    405    405   405   405     405
terms               OPTIONS  any                          200   200    200    200   200   200     200

# /entity/media: "create media"
media list          POST     any                          401   403    403    201   201   201     403
media list          GET      any                          405   405    405    405   405   405     405
media list          HEAD     any                          405   405    405    405   405   405     405
media list          PATCH    any                          405   405    405    405   405   405     405
media list          PUT      any                          405   405    405    405   405   405     405
media list          DELETE   any                          405   405    405    405   405   405     405
media list          OPTIONS  any                          200   200    200    200   200   200     200

media by edit path  GET      published,foreign            401   403    200    200   200   200     403
media by edit path  GET      unpublished                  401   403    403    403   200   200     403
media by edit path  GET      deleted,never                404   404    404    404   404   404     404
media by edit path  HEAD     published,foreign            401   403    200    200   200   200     403
media by edit path  HEAD     unpublished                  401   403    403    403   200   200     403
media by edit path  HEAD     deleted,never                404   404    404    404   404   404     404
media by edit path  PATCH    published,unpublished        401   403    403    200   200   200     403
media by edit path  PATCH    foreign                      401   403    403    200   403   200     403
media by edit path  PATCH    deleted,never                404   404    404    404   404   404     404
media by edit path  DELETE   published,unpublished        401   403    403    204   204   204     403
media by edit path  DELETE   foreign                      401   403    403    204   403   204     403
media by edit path  DELETE   deleted,never                404   404    404    404   404   404     404
media by edit path  POST     any                          405   405    405    405   405   405     405
media by edit path  PUT      any                          405   405    405    405   405   405     405
media by edit path  OPTIONS  any                          200   200    200    200   200   200     200

media of node       GET      published,foreign            200   200    200    200   200   200     200
media of node       GET      unpublished                  401   403    403    403   200   200     403
media of node       GET      deleted,never                404   404    404    404   404   404     404
media of node       HEAD     published,foreign            200   200    200    200   200   200     200
media of node       HEAD     unpublished                  401   403    403    403   200   200     403
media of node       HEAD     deleted,never                404   404    404    404   404   404     404
media of node       POST     any                          405   405    405    405   405   405     405
media of node       PATCH    any                          405   405    405    405   405   405     405
media of node       PUT      any                          405   405    405    405   405   405     405
media of node       DELETE   any                          405   405    405    405   405   405     405
media of node       OPTIONS  any                          200   200    200    200   200   200     200

members of node     GET      published,foreign            200   200    200    200   200   200     200
members of node     GET      unpublished                  401   403    403    403   200   200     403
members of node     GET      deleted,never                404   404    404    404   404   404     404
members of node     HEAD     published,foreign            200   200    200    200   200   200     200
members of node     HEAD     unpublished                  401   403    403    403   200   200     403
members of node     HEAD     deleted,never                404   404    404    404   404   404     404
members of node     POST     any                          405   405    405    405   405   405     405
members of node     PATCH    any                          405   405    405    405   405   405     405
members of node     PUT      any                          405   405    405    405   405   405     405
members of node     DELETE   any                          405   405    405    405   405   405     405
members of node     OPTIONS  any                          200   200    200    200   200   200     200

# the state is the field's: whoever may create what the file is for
standard upload     POST     any                          401   403    403    201   201   201     403
standard upload     GET      any                          405   405    405    405   405   405     405
standard upload     HEAD     any                          405   405    405    405   405   405     405
standard upload     PATCH    any                          405   405    405    405   405   405     405
standard upload     PUT      any                          405   405    405    405   405   405     405
standard upload     DELETE   any                          405   405    405    405   405   405     405
standard upload     OPTIONS  any                          200   200    200    200   200   200     200

# a list; what may not be seen is not in it
term by uri         GET      published,unpublished,never      200   200    200    200   200   200     200
term by uri         HEAD     published,unpublished,never      200   200    200    200   200   200     200
term by uri         POST     any                          405   405    405    405   405   405     405
term by uri         PATCH    any                          405   405    405    405   405   405     405
term by uri         PUT      any                          405   405    405    405   405   405     405
term by uri         DELETE   any                          405   405    405    405   405   405     405
term by uri         OPTIONS  any                          200   200    200    200   200   200     200

term by name        GET      published,unpublished,never      200   200    200    200   200   200     200
term by name        HEAD     published,unpublished,never      200   200    200    200   200   200     200
term by name        POST     any                          405   405    405    405   405   405     405
term by name        PATCH    any                          405   405    405    405   405   405     405
term by name        PUT      any                          405   405    405    405   405   405     405
term by name        DELETE   any                          405   405    405    405   405   405     405
term by name        OPTIONS  any                          200   200    200    200   200   200     200

term by link        GET      published,unpublished,never      200   200    200    200   200   200     200
term by link        HEAD     published,unpublished,never      200   200    200    200   200   200     200
term by link        POST     any                          405   405    405    405   405   405     405
term by link        PATCH    any                          405   405    405    405   405   405     405
term by link        PUT      any                          405   405    405    405   405   405     405
term by link        DELETE   any                          405   405    405    405   405   405     405
term by link        OPTIONS  any                          200   200    200    200   200   200     200

terms of kind       GET      published,never                  200   200    200    200   200   200     200
terms of kind       HEAD     published,never                  200   200    200    200   200   200     200
terms of kind       POST     any                          405   405    405    405   405   405     405
terms of kind       PATCH    any                          405   405    405    405   405   405     405
terms of kind       PUT      any                          405   405    405    405   405   405     405
terms of kind       DELETE   any                          405   405    405    405   405   405     405
terms of kind       OPTIONS  any                          200   200    200    200   200   200     200

checksum            GET      published,never                  200   200    200    200   200   200     200
checksum            HEAD     published,never                  200   200    200    200   200   200     200
checksum            POST     any                          405   405    405    405   405   405     405
checksum            PATCH    any                          405   405    405    405   405   405     405
checksum            PUT      any                          405   405    405    405   405   405     405
checksum            DELETE   any                          405   405    405    405   405   405     405
checksum            OPTIONS  any                          200   200    200    200   200   200     200

session token too   GET      any                          200   200    200    200   200   200     200
session token too   HEAD     any                          200   200    200    200   200   200     200
session token too   POST     any                          200   200    200    200   200   200     200
session token too   PATCH    any                          405   405    405    405   405   405     405
session token too   PUT      any                          405   405    405    405   405   405     405
session token too   DELETE   any                          405   405    405    405   405   405     405
session token too   OPTIONS  any                          200   200    200    200   200   200     200

token keys          GET      any                          200   200   200    200   200   200     200
token keys          HEAD     any                          200   200   200    200   200   200     200
token keys          POST     any                          405   405   405    405   405   405     405
token keys          PATCH    any                          405   405   405    405   405   405     405
token keys          PUT      any                          405   405   405    405   405   405     405
token keys          DELETE   any                          405   405   405    405   405   405     405
token keys          OPTIONS  any                          200   200   200    200   200   200     200

# "administer url aliases"
aliases             GET      any                          405   405   405    405   405   405     405
aliases             HEAD     any                          405   405   405    405   405   405     405
aliases             POST     any                          401   403   403    403   403   201     403
aliases             PATCH    any                          405   405   405    405   405   405     405
aliases             PUT      any                          405   405   405    405   405   405     405
aliases             DELETE   any                          405   405   405    405   405   405     405
aliases             OPTIONS  any                          200   200   200    200   200   200     200

alias               GET      published                    401   403   403    403   403   200     403
alias               GET      never                        404   404   404    404   404   404     404
alias               HEAD     published                    401   403   403    403   403   200     403
alias               HEAD     never                        404   404   404    404   404   404     404
alias               POST     any                          405   405   405    405   405   405     405
alias               PATCH    published                    401   403   403    403   403   200     403
alias               PATCH    never                        404   404   404    404   404   404     404
alias               PUT      any                          405   405   405    405   405   405     405
alias               DELETE   published                    401   403   403    403   403   204     403
alias               DELETE   never                        404   404   404    404   404   404     404
alias               OPTIONS  any                          200   200   200    200   200   200     200

# "administer redirects"
redirects           GET      any                          405   405   405    405   405   405     405
redirects           HEAD     any                          405   405   405    405   405   405     405
redirects           POST     any                          401   403   403    403   403   201     403
redirects           PATCH    any                          405   405   405    405   405   405     405
redirects           PUT      any                          405   405   405    405   405   405     405
redirects           DELETE   any                          405   405   405    405   405   405     405
redirects           OPTIONS  any                          200   200   200    200   200   200     200

redirect            GET      published                    401   403   403    403   403   200     403
redirect            GET      never                        404   404   404    404   404   404     404
redirect            HEAD     published                    401   403   403    403   403   200     403
redirect            HEAD     never                        404   404   404    404   404   404     404
redirect            POST     any                          405   405   405    405   405   405     405
redirect            PATCH    any                          405   405   405    405   405   405     405
redirect            PUT      any                          405   405   405    405   405   405     405
redirect            DELETE   any                          405   405   405    405   405   405     405
redirect            OPTIONS  any                          200   200   200    200   200   200     200
`;
