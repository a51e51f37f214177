/**
 * Which permission allows what: all permissions of the core's modules that have to do with records, accounts and files, and of those that
 * a repository has beside them (Islandora 2.13, field_permissions, jwt, pathauto, redirect, rest_oai_pmh), as core 10.4 declares them.
 * How a deed becomes a request is `permission-table.test.ts`.
 */

/**
 * One line per permission: what must be held beside it, and every deed that it then allows and that was refused without it. `own`
 * is of the account itself, `other` of another one; names of bundles and fields are examples.
 */
export const allowingTable = `
# permission | held beside | allows
access content | | read a node, read a public file, read a checksum, read a term, look a term up, list a vocabulary, read a content type

# nodes
bypass node access | | read a node, read an own hidden node, read another's hidden node, make a node, change an own node, change another's node, delete an own node, delete another's node
administer nodes | access content, edit own islandora_object content | hide an own node
administer comments | access content, edit own islandora_object content | close the comments of an own node
view own unpublished content | access content | read an own hidden node
view any unpublished content | access content | read an own hidden node, read another's hidden node, read an own hidden media, read another's hidden media, read a hidden term
create islandora_object content | access content | make a node
edit own islandora_object content | access content | change an own node
edit any islandora_object content | access content | change an own node, change another's node
delete own islandora_object content | access content | delete an own node
delete any islandora_object content | access content | delete an own node, delete another's node

# media
administer media | access content | read a media, read an own hidden media, read another's hidden media, make a media, upload a file for a media, change an own media, change another's media, delete an own media, delete another's media, read a guarded file
view media | | read a media, read a guarded file
view own unpublished media | | read an own hidden media
create media | access content, edit own islandora_object content | make a media, upload to an own node, upload a file for a media
create image media | access content | make a media, upload a file for a media
update media | | change an own media, replace the bytes of a media
update any media | | change an own media, change another's media
edit own image media | | change an own media
edit any image media | | change an own media, change another's media
delete media | | delete an own media
delete any media | | delete an own media, delete another's media
delete own image media | | delete an own media
delete any image media | | delete an own media, delete another's media

# files
delete own files | | delete an own file
delete any file | | delete an own file, delete another's file

# terms
administer taxonomy | | read a term, read a hidden term, look a term up, list a vocabulary, make a term, change a term, delete a term, read a vocabulary
create terms in islandora_media_use | | make a term
edit terms in islandora_media_use | | change a term
delete terms in islandora_media_use | | delete a term
access taxonomy overview | | read a vocabulary

# accounts
administer users | | read an account, read a blocked account, see the address of an account, see the roles of an account
access user profiles | | read an account
view user email addresses | access user profiles | see the address of an account

# addresses
administer url aliases | access content, edit own islandora_object content | give an own node an alias, make an alias, read an alias
create url aliases | access content, edit own islandora_object content | give an own node an alias
administer redirects | | make a redirect, read a redirect

# fields and texts
access private fields | access content, edit own islandora_object content, bypass node access | see the private field of another
create field_custom | access content, create islandora_object content | make a node with the custom field
view field_custom | access content | see the custom field of an own node, see the custom field of another
view own field_custom | access content | see the custom field of an own node
edit field_custom | access content, edit own islandora_object content | change the custom field of an own node
edit own field_custom | access content, edit own islandora_object content | change the custom field of an own node
use text format full_html | access content, edit own islandora_object content | write another text format

# the content model, read as configuration
administer media fields | | read a field, read a field storage
administer media form display | | read a form
administer media types | | read a media type

# modules
administer site configuration | | ask the module of Workbench
use islandora workbench | | ask the module of Workbench
`;

/** Permissions that allow nothing over this interface, here and on a real site, and why. */
export const idleTable = `
# permission | why
administer content types | content types are changed on pages
administer node display | of pages
access content overview | a page
view all revisions | no revision is served
view islandora_object revisions | no revision is served
revert all revisions | no revision is served
revert islandora_object revisions | no revision is served
delete all revisions | no revision is served
delete islandora_object revisions | no revision is served
view latest version | a page; reads show the default revision
view all media revisions | no revision is served
view any image media revisions | no revision is served
revert any image media revisions | no revision is served
delete any image media revisions | no revision is served
access media overview | a page
access files overview | a page
revert all taxonomy revisions | no revision is served
delete all taxonomy revisions | no revision is served
view all taxonomy revisions | no revision is served
view term revisions in islandora_media_use | no revision is served
revert term revisions in islandora_media_use | no revision is served
delete term revisions in islandora_media_use | no revision is served
reorder terms in islandora_media_use | a page
view vocabulary labels | labels are in no answer
view term names in islandora_media_use | labels are in no answer
administer permissions | roles are changed on pages
administer account settings | a page
change own username | accounts cannot be changed by REST here
select account cancellation method | accounts cannot be deleted by REST here
cancel account | accounts cannot be deleted by REST here
administer workflows | workflows are changed on pages
administer rest resources | a page
administer filters | a page; it lets nobody use a format
administer comment types | a page
access comments | no comment is served
post comments | no comment is served
skip comment approval | no comment is served
edit own comments | no comment is served
administer languages | a page
administer content translation | a page
create content translations | no translation is written
update content translations | no translation is written
delete content translations | no translation is written
translate any entity | no translation is written
translate editable entities | no translation is written
translate islandora_object node | no translation is written
administer modules | a page
administer themes | a page
administer software updates | a page
access administration pages | a page
access site in maintenance mode | there is no such mode
view the administration theme | of pages
access site reports | a page
link to any page | of menus
administer menu | a page
administer actions | a page
administer image styles | a page
administer field permissions | a page
administer jwt | a page
administer pathauto | a page
notify of path changes | a message on pages
bulk update aliases | a page
bulk delete aliases | a page
administer redirect settings | a page
manage media | only where a list of the site asks for it
manage members | only where a list of the site asks for it
view checksums | only where a list of the site asks for it
`;

/** Permissions of what the default site does not have, and the test that holds each. */
export const heldElsewhere = `
# permission | test
use editorial transition publish | content/moderation.test.ts
restful get oai_pmh | living/harvest
`;

/** The lines of a table with their columns. */
export const linesOf = (table: string): readonly (readonly string[])[] =>
  table
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('|').map((part) => part.trim()));
