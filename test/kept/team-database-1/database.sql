--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: atoll_changes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.atoll_changes (
    world bigint NOT NULL,
    seq bigint NOT NULL,
    payload text NOT NULL,
    at bigint NOT NULL
);


--
-- Name: atoll_coverage; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.atoll_coverage (
    world bigint NOT NULL,
    part bigint NOT NULL,
    counts text NOT NULL
);


--
-- Name: atoll_coverage_parts; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.atoll_coverage_parts
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: atoll_fixtures; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.atoll_fixtures (
    name text NOT NULL,
    digest text NOT NULL,
    chain bigint[] NOT NULL,
    counters text NOT NULL,
    totals text NOT NULL,
    created bigint NOT NULL,
    settings text
);


--
-- Name: atoll_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.atoll_keys (
    layer bigint NOT NULL,
    key text NOT NULL,
    type text NOT NULL,
    id bigint NOT NULL
);


--
-- Name: atoll_layer_ids; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.atoll_layer_ids
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: atoll_layers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.atoll_layers (
    id bigint NOT NULL,
    created bigint NOT NULL,
    records bigint
);


--
-- Name: atoll_listings; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.atoll_listings (
    layer bigint NOT NULL,
    type text NOT NULL,
    id bigint NOT NULL,
    bundle text,
    title bytea,
    changed double precision,
    published boolean,
    refs text
);


--
-- Name: atoll_observed_worlds; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.atoll_observed_worlds (
    world bigint NOT NULL,
    last bigint DEFAULT 0 NOT NULL,
    cleared bigint DEFAULT 0 NOT NULL,
    lost bigint DEFAULT 0 NOT NULL,
    coverage_clears bigint DEFAULT 0 NOT NULL
);


--
-- Name: atoll_records; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.atoll_records (
    layer bigint NOT NULL,
    type text NOT NULL,
    id bigint NOT NULL,
    bundle text,
    record text
);


--
-- Name: atoll_schema; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.atoll_schema (
    one boolean NOT NULL,
    version bigint NOT NULL,
    oldest bigint NOT NULL,
    instance text NOT NULL,
    signing_key text
);


--
-- Name: atoll_snapshots; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.atoll_snapshots (
    world bigint NOT NULL,
    name text NOT NULL,
    chain bigint[] NOT NULL,
    counters text NOT NULL,
    totals text NOT NULL,
    clock text,
    saved bigint NOT NULL,
    settings text
);


--
-- Name: atoll_state; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.atoll_state (
    world bigint NOT NULL,
    topic text NOT NULL,
    key text NOT NULL,
    value text
);


--
-- Name: atoll_traffic; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.atoll_traffic (
    world bigint NOT NULL,
    id bigint NOT NULL,
    count bigint NOT NULL,
    entries bytea NOT NULL
);


--
-- Name: atoll_world_ids; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.atoll_world_ids
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: atoll_worlds; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.atoll_worlds (
    id bigint NOT NULL,
    name text NOT NULL,
    generation bigint DEFAULT 1 NOT NULL,
    seq bigint DEFAULT 0 NOT NULL,
    chain bigint[] NOT NULL,
    top_used boolean DEFAULT false NOT NULL,
    counters text DEFAULT '{}'::text NOT NULL,
    totals text DEFAULT '{}'::text NOT NULL,
    origin text,
    origin_chain bigint[],
    origin_counters text,
    origin_totals text,
    origin_clock text,
    created bigint NOT NULL,
    expires bigint,
    caches text,
    last_name bigint DEFAULT 0 NOT NULL,
    settings text
);


--
-- Data for Name: atoll_changes; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.atoll_changes VALUES (1, 1, '{"touched":["node:4","uuid:node/6cb564fe-4e50-4d12-bcb6-2c5be368db8c","revision:node/5","members-of:1","model:node/26"],"put":["node:4"],"state":[["anonymous-token","13d1d894-0a2b","\"BoZk_MFf8yW-Bkst5NScnAGiXz0snJqLG_yrpPezzK0\""],["basic-flood-users-processes","13d1d894-0a2b","true"],["basic-flood-addresses-processes","13d1d894-0a2b","true"]]}', 1795963748139);
INSERT INTO public.atoll_changes VALUES (1, 2, '{"touched":["node:4","uuid:node/6cb564fe-4e50-4d12-bcb6-2c5be368db8c","revision:node/5","members-of:1","model:node/26","revision:node/6"],"put":["node:4"]}', 1795963748240);
INSERT INTO public.atoll_changes VALUES (1, 3, '{"touched":["node:1","uuid:node/045a9ba1-decd-4e1b-b920-ed255eae4fca","model:node/23","revision:node/7"],"put":["node:1"]}', 1795963748295);
INSERT INTO public.atoll_changes VALUES (1, 4, '{"touched":["file:4","uuid:file/517e0406-622f-42c6-b66a-3719d223e566","file-at:fedora://2026-02/ledger.txt","file-hash:d07cf330adb0cb60a285fba2cc8d2f5b8798a18a","media:3","uuid:media/8903d0bf-0eac-486c-8966-22a2aa6d53a0","media-of:4","media-of:4/16","media-using:4","model:media/16"],"put":["file:4","media:3"]}', 1795963748421);
INSERT INTO public.atoll_changes VALUES (1, 5, '{"touched":["file:4","uuid:file/517e0406-622f-42c6-b66a-3719d223e566","file-at:fedora://2026-02/ledger.txt","file-hash:d07cf330adb0cb60a285fba2cc8d2f5b8798a18a","file-hash:16225311bddc8f0fe87a3ec028a5cd33c2807c73","media:3","uuid:media/8903d0bf-0eac-486c-8966-22a2aa6d53a0","media-of:4","media-of:4/16","media-using:4","model:media/16"],"put":["file:4","media:3"]}', 1795963748447);
INSERT INTO public.atoll_changes VALUES (1, 6, '{"touched":["node:2","uuid:node/8238613e-51f3-4fcf-8714-2b3662419cec","revision:node/4","members-of:1","model:node/24","path_alias:1","uuid:path_alias/9f2ebb2d-056b-461d-91fc-a79b667df2e2","aliases-of:/node/2","alias:/quay"],"put":["node:2","path_alias:1"]}', 1795963748477);
INSERT INTO public.atoll_changes VALUES (1, 7, '{"touched":["redirect:1","uuid:redirect/2ac62ad9-eaf4-4739-9dad-e27c10b5a572","redirect-from:old-quay"],"put":["redirect:1"]}', 1795963748509);
INSERT INTO public.atoll_changes VALUES (1, 8, '{"touched":["taxonomy_term:46","uuid:taxonomy_term/97e12caa-d4ed-4859-a694-e9e607ad6bae","term-name:person/wend, ada, 1850-1931"],"put":["taxonomy_term:46"]}', 1795963748580);
INSERT INTO public.atoll_changes VALUES (1, 9, '{"touched":["node:5","uuid:node/ef74f8a9-3915-4085-83a2-fbbaf83fbde0","revision:node/8","model:node/26"],"put":["node:5"]}', 1795963748619);
INSERT INTO public.atoll_changes VALUES (1, 10, '{"touched":["node:5","uuid:node/ef74f8a9-3915-4085-83a2-fbbaf83fbde0","revision:node/8","model:node/26"],"removed":["node:5"]}', 1795963748634);
INSERT INTO public.atoll_changes VALUES (1, 11, '{}', 1795963748867);
INSERT INTO public.atoll_changes VALUES (2, 1, '{"touched":["node:1","uuid:node/045a9ba1-decd-4e1b-b920-ed255eae4fca","revision:node/7","model:node/23","revision:node/9"],"put":["node:1"],"state":[["anonymous-token","13d1d894-0a2b","\"0mFqZTgE3nognoSbU7rQZH87_r_RhVTbR0O8OCFNla8\""],["basic-flood-users-processes","13d1d894-0a2b","true"],["basic-flood-addresses-processes","13d1d894-0a2b","true"]]}', 1795963749372);
INSERT INTO public.atoll_changes VALUES (2, 2, '{"touched":["node:4","uuid:node/6cb564fe-4e50-4d12-bcb6-2c5be368db8c","revision:node/6","members-of:1","model:node/26"],"removed":["node:4"]}', 1795963749379);
INSERT INTO public.atoll_changes VALUES (1, 12, '{"touched":["node:2","uuid:node/8238613e-51f3-4fcf-8714-2b3662419cec","revision:node/4","members-of:1","model:node/24","revision:node/9"],"put":["node:2"]}', 1795963749383);


--
-- Data for Name: atoll_coverage; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.atoll_coverage VALUES (1, 1, '{"answers":[{"operation":"createNode","status":201,"mediaType":"application/json","identities":["authenticated","administrator","fedoraadmin"],"count":1},{"operation":"updateNode","status":200,"mediaType":"application/json","identities":["authenticated","administrator","fedoraadmin"],"count":2}],"relations":[],"advice":[],"notes":[{"process":"5177fd3c-6f7b-4a22-92f2-fe3c991989c2","address":"/node","asked":1,"first":[1795963748147],"shown":{},"followed":{}},{"process":"5177fd3c-6f7b-4a22-92f2-fe3c991989c2","address":"/node?_format=json","asked":1,"first":[1795963748147],"shown":{},"followed":{}},{"process":"5177fd3c-6f7b-4a22-92f2-fe3c991989c2","address":"/node/4","asked":1,"first":[1795963748254],"shown":{},"followed":{}},{"process":"5177fd3c-6f7b-4a22-92f2-fe3c991989c2","address":"/node/4?_format=json","asked":1,"first":[1795963748254],"shown":{},"followed":{}},{"process":"5177fd3c-6f7b-4a22-92f2-fe3c991989c2","address":"/node/1","asked":1,"first":[1795963748301],"shown":{},"followed":{}},{"process":"5177fd3c-6f7b-4a22-92f2-fe3c991989c2","address":"/node/1?_format=json","asked":1,"first":[1795963748301],"shown":{},"followed":{}}]}');
INSERT INTO public.atoll_coverage VALUES (1, 2, '{"answers":[{"operation":"createNode","status":201,"mediaType":"application/json","identities":["authenticated","administrator","fedoraadmin"],"count":1},{"operation":"putNodeMedia","status":201,"mediaType":null,"identities":["authenticated","administrator","fedoraadmin"],"count":1},{"operation":"putMediaSource","status":204,"mediaType":null,"identities":["authenticated","administrator","fedoraadmin"],"count":1},{"operation":"createPathAlias","status":201,"mediaType":"application/json","identities":["authenticated","administrator","fedoraadmin"],"count":1},{"operation":"createRedirect","status":201,"mediaType":"application/json","identities":["authenticated","administrator","fedoraadmin"],"count":1},{"operation":"createTerm","status":201,"mediaType":"application/json","identities":["authenticated","administrator","fedoraadmin"],"count":1}],"relations":[],"advice":[],"notes":[{"process":"5177fd3c-6f7b-4a22-92f2-fe3c991989c2","address":"/node/4/media/file/16","asked":1,"first":[1795963748422],"shown":{},"followed":{}},{"process":"5177fd3c-6f7b-4a22-92f2-fe3c991989c2","address":"/node/4/media/file/16?_format=json","asked":1,"first":[1795963748422],"shown":{},"followed":{}},{"process":"5177fd3c-6f7b-4a22-92f2-fe3c991989c2","address":"/media/3/source","asked":1,"first":[1795963748450],"shown":{},"followed":{}},{"process":"5177fd3c-6f7b-4a22-92f2-fe3c991989c2","address":"/entity/path_alias","asked":1,"first":[1795963748479],"shown":{},"followed":{}},{"process":"5177fd3c-6f7b-4a22-92f2-fe3c991989c2","address":"/entity/path_alias?_format=json","asked":1,"first":[1795963748479],"shown":{},"followed":{}},{"process":"5177fd3c-6f7b-4a22-92f2-fe3c991989c2","address":"/entity/redirect","asked":1,"first":[1795963748510],"shown":{},"followed":{}},{"process":"5177fd3c-6f7b-4a22-92f2-fe3c991989c2","address":"/entity/redirect?_format=json","asked":1,"first":[1795963748510],"shown":{},"followed":{}},{"process":"5177fd3c-6f7b-4a22-92f2-fe3c991989c2","address":"/taxonomy/term","asked":1,"first":[1795963748581],"shown":{},"followed":{}},{"process":"5177fd3c-6f7b-4a22-92f2-fe3c991989c2","address":"/taxonomy/term?_format=json","asked":1,"first":[1795963748581],"shown":{},"followed":{}},{"process":"5177fd3c-6f7b-4a22-92f2-fe3c991989c2","address":"/node","asked":1,"first":[1795963748621],"shown":{},"followed":{}},{"process":"5177fd3c-6f7b-4a22-92f2-fe3c991989c2","address":"/node?_format=json","asked":1,"first":[1795963748621],"shown":{},"followed":{}}]}');
INSERT INTO public.atoll_coverage VALUES (1, 3, '{"answers":[{"operation":"deleteNode","status":204,"mediaType":null,"identities":["authenticated","administrator","fedoraadmin"],"count":1}],"relations":[],"advice":[],"notes":[{"process":"5177fd3c-6f7b-4a22-92f2-fe3c991989c2","address":"/node/5","asked":1,"first":[1795963748638],"shown":{},"followed":{}},{"process":"5177fd3c-6f7b-4a22-92f2-fe3c991989c2","address":"/node/5?_format=json","asked":1,"first":[1795963748638],"shown":{},"followed":{}}]}');
INSERT INTO public.atoll_coverage VALUES (1, 4, '{"answers":[{"operation":"updateNode","status":200,"mediaType":"application/json","identities":["authenticated","administrator","fedoraadmin"],"count":1}],"relations":[],"advice":[],"notes":[{"process":"5177fd3c-6f7b-4a22-92f2-fe3c991989c2","address":"/node/2","asked":1,"first":[1795963749386],"shown":{},"followed":{}},{"process":"5177fd3c-6f7b-4a22-92f2-fe3c991989c2","address":"/node/2?_format=json","asked":1,"first":[1795963749386],"shown":{},"followed":{}}]}');
INSERT INTO public.atoll_coverage VALUES (2, 5, '{"answers":[{"operation":"updateNode","status":200,"mediaType":"application/json","identities":["authenticated","administrator","fedoraadmin"],"count":1},{"operation":"deleteNode","status":204,"mediaType":null,"identities":["authenticated","administrator","fedoraadmin"],"count":1}],"relations":[],"advice":[],"notes":[{"process":"5177fd3c-6f7b-4a22-92f2-fe3c991989c2","address":"/node/1","asked":1,"first":[1795963749374],"shown":{},"followed":{}},{"process":"5177fd3c-6f7b-4a22-92f2-fe3c991989c2","address":"/node/1?_format=json","asked":1,"first":[1795963749374],"shown":{},"followed":{}},{"process":"5177fd3c-6f7b-4a22-92f2-fe3c991989c2","address":"/node/4","asked":1,"first":[1795963749380],"shown":{},"followed":{}},{"process":"5177fd3c-6f7b-4a22-92f2-fe3c991989c2","address":"/node/4?_format=json","asked":1,"first":[1795963749380],"shown":{},"followed":{}}]}');


--
-- Data for Name: atoll_fixtures; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.atoll_fixtures VALUES ('fixture', '646aac07cb6991ef9d4554fc366cebbf37bca1365a9feeafb15cc850f92dcf16', '{1}', '{"node":3,"node_revision":4,"media":2,"media_revision":2,"file":3,"taxonomy_term":45,"taxonomy_term_revision":45,"user":6,"user_revision":0,"file_revision":0}', '{"user":7,"user/user":7,"taxonomy_term":45,"taxonomy_term/corporate_body":3,"taxonomy_term/family":1,"taxonomy_term/geo_location":3,"taxonomy_term/islandora_display":2,"taxonomy_term/islandora_media_use":7,"taxonomy_term/islandora_models":6,"taxonomy_term/person":5,"taxonomy_term/resource_types":11,"taxonomy_term/subject":7,"node":3,"node/islandora_object":3,"media":2,"media/image":1,"media/file":1,"file":3,"file/file":3}', 1795963747830, NULL);


--
-- Data for Name: atoll_keys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.atoll_keys VALUES (1, 'uuid:user/6257814b-1f04-4846-be18-21439c5c67e7', 'user', 0);
INSERT INTO public.atoll_keys VALUES (1, 'user-name:', 'user', 0);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:user/46a47057-de2d-4ce2-87ae-dbe4551209b8', 'user', 1);
INSERT INTO public.atoll_keys VALUES (1, 'user-name:admin', 'user', 1);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:user/f9a4f28e-29d0-4294-acac-37c1b2d56441', 'user', 2);
INSERT INTO public.atoll_keys VALUES (1, 'user-name:editor', 'user', 2);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:user/7edb503a-b48f-4ce3-ad73-e63afce6fcb7', 'user', 3);
INSERT INTO public.atoll_keys VALUES (1, 'user-name:viewer', 'user', 3);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:user/3601011f-7644-4998-84e9-c5ee66e0bd07', 'user', 4);
INSERT INTO public.atoll_keys VALUES (1, 'user-name:plain', 'user', 4);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:user/17f6f3cc-c8db-4f57-b185-ab87dd6c557e', 'user', 5);
INSERT INTO public.atoll_keys VALUES (1, 'user-name:blocked', 'user', 5);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:user/d40825ea-fffd-45e5-b467-2172feae5fe2', 'user', 6);
INSERT INTO public.atoll_keys VALUES (1, 'user-name:owner', 'user', 6);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/47c32fd2-f929-4376-9454-e1394cfb4e05', 'taxonomy_term', 39);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:corporate_body/saltmarsh quay historical society', 'taxonomy_term', 39);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/f5ad9d49-f5c7-4a9a-9d4b-c12f81275a88', 'taxonomy_term', 40);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:corporate_body/harbour board of saltmarsh quay', 'taxonomy_term', 40);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/fa803bf2-1586-4050-af6f-c3fb8813657c', 'taxonomy_term', 41);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:corporate_body/quellan & daughters, photographers', 'taxonomy_term', 41);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/ac8e369f-0045-40cc-8b7c-6e056000a7b8', 'taxonomy_term', 42);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:family/brixfield family', 'taxonomy_term', 42);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/ad4899cc-7bde-418e-929f-5f2a0609838b', 'taxonomy_term', 43);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:geo_location/saltmarsh quay', 'taxonomy_term', 43);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/b0e422ca-186b-4709-af2b-642550ef10d5', 'taxonomy_term', 44);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:geo_location/gannet point', 'taxonomy_term', 44);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/068a9945-69be-43f5-aa32-dcb44988fe74', 'taxonomy_term', 45);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:geo_location/wend estuary', 'taxonomy_term', 45);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/b9a9d91e-820e-4e05-bea3-81ee1979bad7', 'taxonomy_term', 1);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:islandora_display/open seadragon', 'taxonomy_term', 1);
INSERT INTO public.atoll_keys VALUES (1, 'term-uri:http://openseadragon.github.io', 'taxonomy_term', 1);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/3babddf9-b3a3-4fe8-a88b-f051b5637dbd', 'taxonomy_term', 2);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:islandora_display/pdfjs', 'taxonomy_term', 2);
INSERT INTO public.atoll_keys VALUES (1, 'term-uri:http://mozilla.github.io/pdf.js', 'taxonomy_term', 2);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/63e5764b-40c7-4c2b-9765-948a20b422ba', 'taxonomy_term', 14);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:islandora_media_use/extracted text', 'taxonomy_term', 14);
INSERT INTO public.atoll_keys VALUES (1, 'term-uri:http://pcdm.org/use#ExtractedText', 'taxonomy_term', 14);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/e4925939-7068-4e5e-bd5c-5879d4bca9ce', 'taxonomy_term', 15);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:islandora_media_use/intermediate file', 'taxonomy_term', 15);
INSERT INTO public.atoll_keys VALUES (1, 'term-uri:http://pcdm.org/use#IntermediateFile', 'taxonomy_term', 15);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/08e01ff9-eb72-42f5-ae3a-8b21ba0c0bc3', 'taxonomy_term', 16);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:islandora_media_use/original file', 'taxonomy_term', 16);
INSERT INTO public.atoll_keys VALUES (1, 'term-uri:http://pcdm.org/use#OriginalFile', 'taxonomy_term', 16);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/67175333-3095-4b02-9266-c7e2158788d7', 'taxonomy_term', 17);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:islandora_media_use/preservation master file', 'taxonomy_term', 17);
INSERT INTO public.atoll_keys VALUES (1, 'term-uri:http://pcdm.org/use#PreservationMasterFile', 'taxonomy_term', 17);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/e8c698a7-8c15-47c4-8567-1c27f8f0c19e', 'taxonomy_term', 18);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:islandora_media_use/service file', 'taxonomy_term', 18);
INSERT INTO public.atoll_keys VALUES (1, 'term-uri:http://pcdm.org/use#ServiceFile', 'taxonomy_term', 18);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/055ad4ff-0a18-4f96-8c1c-bc3e33c25bc3', 'taxonomy_term', 19);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:islandora_media_use/thumbnail image', 'taxonomy_term', 19);
INSERT INTO public.atoll_keys VALUES (1, 'term-uri:http://pcdm.org/use#ThumbnailImage', 'taxonomy_term', 19);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/0c58ca8f-c35b-4ff6-8ef4-6a1991cef3a4', 'taxonomy_term', 20);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:islandora_media_use/transcript', 'taxonomy_term', 20);
INSERT INTO public.atoll_keys VALUES (1, 'term-uri:http://pcdm.org/use#Transcript', 'taxonomy_term', 20);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/09d74004-5f03-4e5e-9963-98d7d72671e5', 'taxonomy_term', 21);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:islandora_models/audio', 'taxonomy_term', 21);
INSERT INTO public.atoll_keys VALUES (1, 'term-uri:http://purl.org/coar/resource_type/c_18cc', 'taxonomy_term', 21);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/e1f167e1-124d-4db4-96ab-30641ca4e21b', 'taxonomy_term', 22);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:islandora_models/binary', 'taxonomy_term', 22);
INSERT INTO public.atoll_keys VALUES (1, 'term-uri:http://purl.org/coar/resource_type/c_1843', 'taxonomy_term', 22);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/6a3b293d-4617-417b-99d2-23d75b57f7c2', 'taxonomy_term', 23);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:islandora_models/collection', 'taxonomy_term', 23);
INSERT INTO public.atoll_keys VALUES (1, 'term-uri:http://purl.org/dc/dcmitype/Collection', 'taxonomy_term', 23);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/e7560b68-e95a-4e76-9671-2a3041cd9800', 'taxonomy_term', 24);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:islandora_models/image', 'taxonomy_term', 24);
INSERT INTO public.atoll_keys VALUES (1, 'term-uri:http://purl.org/coar/resource_type/c_c513', 'taxonomy_term', 24);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/41df87dd-e543-4d78-add7-ac55cdebae18', 'taxonomy_term', 25);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:islandora_models/video', 'taxonomy_term', 25);
INSERT INTO public.atoll_keys VALUES (1, 'term-uri:http://purl.org/coar/resource_type/c_12ce', 'taxonomy_term', 25);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/66e7fe15-7077-4399-9b70-2931c64ea87b', 'taxonomy_term', 26);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:islandora_models/digital document', 'taxonomy_term', 26);
INSERT INTO public.atoll_keys VALUES (1, 'term-uri:https://schema.org/DigitalDocument', 'taxonomy_term', 26);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/0c26e03b-ddac-459d-a57d-42093117aec4', 'taxonomy_term', 34);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:person/quellan, maren, 1871-1948', 'taxonomy_term', 34);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/84414bdb-5a86-4b0b-8566-df6ff078c6ff', 'taxonomy_term', 35);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:person/brixfield, tobias, 1902-1979', 'taxonomy_term', 35);
INSERT INTO public.atoll_keys VALUES (2, 'alias:/quay', 'path_alias', 1);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/cdb78d54-3704-495f-bc04-17039469a037', 'taxonomy_term', 36);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:person/orvéa, léonie', 'taxonomy_term', 36);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/fde0fae2-0b2c-4454-8c56-16b633a85735', 'taxonomy_term', 37);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:person/ashgrove, imogen', 'taxonomy_term', 37);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/0fe9764a-703b-4972-8c12-2440b6ef29c9', 'taxonomy_term', 38);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:person/林海生 (lin, haisheng)', 'taxonomy_term', 38);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/aa2bf5f2-0fd9-4b8e-b3f3-6962c20cb0b8', 'taxonomy_term', 3);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:resource_types/collection', 'taxonomy_term', 3);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/7442b266-9ce6-4204-8c31-02ebbd74f9c3', 'taxonomy_term', 4);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:resource_types/dataset', 'taxonomy_term', 4);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/3ed9153c-d274-4666-b0cc-f775922fc24a', 'taxonomy_term', 5);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:resource_types/image', 'taxonomy_term', 5);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/de9707d4-4e4e-46fd-9cd6-d0fc8cb7f09c', 'taxonomy_term', 6);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:resource_types/interactive resource', 'taxonomy_term', 6);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/4aea7aaf-3bab-4914-a6fe-996501aac8ba', 'taxonomy_term', 7);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:resource_types/moving image', 'taxonomy_term', 7);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/25e25c61-9cfc-49f7-9389-868497091bef', 'taxonomy_term', 8);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:resource_types/physical object', 'taxonomy_term', 8);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/d2026c90-ae34-4520-bf08-45940ce9ee76', 'taxonomy_term', 9);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:resource_types/service', 'taxonomy_term', 9);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/b7f1349a-e53c-410b-92fd-d13fee4b2f83', 'taxonomy_term', 10);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:resource_types/sound', 'taxonomy_term', 10);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/558436b7-16c9-460e-95e6-19d6b5197579', 'taxonomy_term', 11);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:resource_types/still image', 'taxonomy_term', 11);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/3c59b502-a807-4d83-b522-210a50a97048', 'taxonomy_term', 12);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:resource_types/software', 'taxonomy_term', 12);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/6d51fd30-49be-4238-aa1b-457203402cda', 'taxonomy_term', 13);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:resource_types/text', 'taxonomy_term', 13);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/a4417aac-eeed-4c56-be18-0cd0101cd54d', 'taxonomy_term', 27);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:subject/harbours', 'taxonomy_term', 27);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/e254ea09-d527-4517-8522-d73a8bc14a6d', 'taxonomy_term', 28);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:subject/fishing boats', 'taxonomy_term', 28);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/f7200285-7b6d-46d7-b34f-5bfb4e659b17', 'taxonomy_term', 29);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:subject/lighthouses', 'taxonomy_term', 29);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/b415b2e5-d6d9-420c-8f24-fa471062a1e3', 'taxonomy_term', 30);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:subject/oral history', 'taxonomy_term', 30);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/2db9d4a8-3a77-48c5-b8c4-bd29ec8d8c78', 'taxonomy_term', 31);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:subject/storms', 'taxonomy_term', 31);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/889327de-8687-43cc-af5d-a86f6cbcf283', 'taxonomy_term', 32);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:subject/tidal mills', 'taxonomy_term', 32);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:taxonomy_term/d594505b-bd3a-48de-b8a5-23b30ed20b75', 'taxonomy_term', 33);
INSERT INTO public.atoll_keys VALUES (1, 'term-name:subject/fêtes & regattas', 'taxonomy_term', 33);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:node/045a9ba1-decd-4e1b-b920-ed255eae4fca', 'node', 1);
INSERT INTO public.atoll_keys VALUES (1, 'model:node/23', 'node', 1);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:node/8238613e-51f3-4fcf-8714-2b3662419cec', 'node', 2);
INSERT INTO public.atoll_keys VALUES (1, 'revision:node/4', 'node', 2);
INSERT INTO public.atoll_keys VALUES (1, 'members-of:1', 'node', 2);
INSERT INTO public.atoll_keys VALUES (1, 'model:node/24', 'node', 2);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:node/32ea1959-aa08-4b8f-94b6-d4fc0bd5e197', 'node', 3);
INSERT INTO public.atoll_keys VALUES (1, 'members-of:1', 'node', 3);
INSERT INTO public.atoll_keys VALUES (1, 'model:node/26', 'node', 3);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:media/13ef5aa4-5427-40eb-ba81-b8d76a609dd4', 'media', 1);
INSERT INTO public.atoll_keys VALUES (1, 'media-of:2', 'media', 1);
INSERT INTO public.atoll_keys VALUES (1, 'media-of:2/16', 'media', 1);
INSERT INTO public.atoll_keys VALUES (1, 'media-using:1', 'media', 1);
INSERT INTO public.atoll_keys VALUES (1, 'model:media/16', 'media', 1);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:media/b47ba3c6-1964-42ec-b4c1-0358e7b3d436', 'media', 2);
INSERT INTO public.atoll_keys VALUES (1, 'media-of:2', 'media', 2);
INSERT INTO public.atoll_keys VALUES (1, 'media-of:2/14', 'media', 2);
INSERT INTO public.atoll_keys VALUES (1, 'media-using:2', 'media', 2);
INSERT INTO public.atoll_keys VALUES (1, 'model:media/14', 'media', 2);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:file/d12a6a06-3d5e-4587-bd97-f23f6d84cfa1', 'file', 1);
INSERT INTO public.atoll_keys VALUES (1, 'file-at:public://2026-01/quay.png', 'file', 1);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:file/01655fc9-dd06-4f75-bd88-7b68d8d96de5', 'file', 2);
INSERT INTO public.atoll_keys VALUES (1, 'file-at:fedora://2026-01/quay.txt', 'file', 2);
INSERT INTO public.atoll_keys VALUES (1, 'uuid:file/092a1eeb-f6d7-47f1-97c1-af51003a74dc', 'file', 3);
INSERT INTO public.atoll_keys VALUES (1, 'file-at:public://media-icons/generic/generic.png', 'file', 3);
INSERT INTO public.atoll_keys VALUES (2, 'uuid:node/6cb564fe-4e50-4d12-bcb6-2c5be368db8c', 'node', 4);
INSERT INTO public.atoll_keys VALUES (2, 'members-of:1', 'node', 4);
INSERT INTO public.atoll_keys VALUES (2, 'model:node/26', 'node', 4);
INSERT INTO public.atoll_keys VALUES (2, 'revision:node/6', 'node', 4);
INSERT INTO public.atoll_keys VALUES (2, 'uuid:node/045a9ba1-decd-4e1b-b920-ed255eae4fca', 'node', 1);
INSERT INTO public.atoll_keys VALUES (2, 'revision:node/7', 'node', 1);
INSERT INTO public.atoll_keys VALUES (2, 'model:node/23', 'node', 1);
INSERT INTO public.atoll_keys VALUES (2, 'uuid:file/517e0406-622f-42c6-b66a-3719d223e566', 'file', 4);
INSERT INTO public.atoll_keys VALUES (2, 'file-at:fedora://2026-02/ledger.txt', 'file', 4);
INSERT INTO public.atoll_keys VALUES (2, 'uuid:media/8903d0bf-0eac-486c-8966-22a2aa6d53a0', 'media', 3);
INSERT INTO public.atoll_keys VALUES (2, 'media-of:4', 'media', 3);
INSERT INTO public.atoll_keys VALUES (2, 'media-of:4/16', 'media', 3);
INSERT INTO public.atoll_keys VALUES (2, 'media-using:4', 'media', 3);
INSERT INTO public.atoll_keys VALUES (2, 'model:media/16', 'media', 3);
INSERT INTO public.atoll_keys VALUES (2, 'file-hash:16225311bddc8f0fe87a3ec028a5cd33c2807c73', 'file', 4);
INSERT INTO public.atoll_keys VALUES (2, 'uuid:node/8238613e-51f3-4fcf-8714-2b3662419cec', 'node', 2);
INSERT INTO public.atoll_keys VALUES (2, 'revision:node/4', 'node', 2);
INSERT INTO public.atoll_keys VALUES (2, 'members-of:1', 'node', 2);
INSERT INTO public.atoll_keys VALUES (2, 'model:node/24', 'node', 2);
INSERT INTO public.atoll_keys VALUES (2, 'uuid:path_alias/9f2ebb2d-056b-461d-91fc-a79b667df2e2', 'path_alias', 1);
INSERT INTO public.atoll_keys VALUES (2, 'aliases-of:/node/2', 'path_alias', 1);
INSERT INTO public.atoll_keys VALUES (2, 'uuid:redirect/2ac62ad9-eaf4-4739-9dad-e27c10b5a572', 'redirect', 1);
INSERT INTO public.atoll_keys VALUES (2, 'redirect-from:old-quay', 'redirect', 1);
INSERT INTO public.atoll_keys VALUES (2, 'uuid:taxonomy_term/97e12caa-d4ed-4859-a694-e9e607ad6bae', 'taxonomy_term', 46);
INSERT INTO public.atoll_keys VALUES (2, 'term-name:person/wend, ada, 1850-1931', 'taxonomy_term', 46);
INSERT INTO public.atoll_keys VALUES (4, 'uuid:node/045a9ba1-decd-4e1b-b920-ed255eae4fca', 'node', 1);
INSERT INTO public.atoll_keys VALUES (4, 'revision:node/9', 'node', 1);
INSERT INTO public.atoll_keys VALUES (4, 'model:node/23', 'node', 1);
INSERT INTO public.atoll_keys VALUES (3, 'uuid:node/8238613e-51f3-4fcf-8714-2b3662419cec', 'node', 2);
INSERT INTO public.atoll_keys VALUES (3, 'revision:node/9', 'node', 2);
INSERT INTO public.atoll_keys VALUES (3, 'members-of:1', 'node', 2);
INSERT INTO public.atoll_keys VALUES (3, 'model:node/24', 'node', 2);


--
-- Data for Name: atoll_layers; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.atoll_layers VALUES (1, 1795963747830, NULL);
INSERT INTO public.atoll_layers VALUES (2, 1795963747840, NULL);
INSERT INTO public.atoll_layers VALUES (3, 1795963748867, NULL);
INSERT INTO public.atoll_layers VALUES (4, 1795963749216, NULL);


--
-- Data for Name: atoll_listings; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.atoll_listings VALUES (1, 'user', 0, 'user', '\x', 1551466800, false, '');
INSERT INTO public.atoll_listings VALUES (1, 'user', 1, 'user', '\x61646d696e', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'user', 2, 'user', '\x656469746f72', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'user', 3, 'user', '\x766965776572', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'user', 4, 'user', '\x706c61696e', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'user', 5, 'user', '\x626c6f636b6564', 1551466800, false, '');
INSERT INTO public.atoll_listings VALUES (1, 'user', 6, 'user', '\x6f776e6572', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 39, 'corporate_body', '\x73616c746d61727368207175617920686973746f726963616c20736f6369657479', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 40, 'corporate_body', '\x686172626f757220626f617264206f662073616c746d617273682071756179', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 41, 'corporate_body', '\x7175656c6c616e2026206461756768746572732c2070686f746f6772617068657273', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 42, 'family', '\x627269786669656c642066616d696c79', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 43, 'geo_location', '\x73616c746d617273682071756179', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 44, 'geo_location', '\x67616e6e657420706f696e74', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 45, 'geo_location', '\x77656e642065737475617279', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 1, 'islandora_display', '\x6f70656e20736561647261676f6e', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 2, 'islandora_display', '\x7064666a73', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 14, 'islandora_media_use', '\x6578747261637465642074657874', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 15, 'islandora_media_use', '\x696e7465726d6564696174652066696c65', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 16, 'islandora_media_use', '\x6f726967696e616c2066696c65', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 17, 'islandora_media_use', '\x707265736572766174696f6e206d61737465722066696c65', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 18, 'islandora_media_use', '\x736572766963652066696c65', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 19, 'islandora_media_use', '\x7468756d626e61696c20696d616765', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 20, 'islandora_media_use', '\x7472616e736372697074', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 21, 'islandora_models', '\x617564696f', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 22, 'islandora_models', '\x62696e617279', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 23, 'islandora_models', '\x636f6c6c656374696f6e', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 24, 'islandora_models', '\x696d616765', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 25, 'islandora_models', '\x766964656f', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 26, 'islandora_models', '\x6469676974616c20646f63756d656e74', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 34, 'person', '\x7175656c6c616e2c206d6172656e2c20313837312d31393438', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 35, 'person', '\x627269786669656c642c20746f626961732c20313930322d31393739', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 36, 'person', '\x6f727665612c206c656f6e6965', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 37, 'person', '\x61736867726f76652c20696d6f67656e', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 38, 'person', '\xe69e97e6b5b7e7949f20286c696e2c206861697368656e6729', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 3, 'resource_types', '\x636f6c6c656374696f6e', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 4, 'resource_types', '\x64617461736574', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 5, 'resource_types', '\x696d616765', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 6, 'resource_types', '\x696e746572616374697665207265736f75726365', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 7, 'resource_types', '\x6d6f76696e6720696d616765', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 8, 'resource_types', '\x706879736963616c206f626a656374', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 9, 'resource_types', '\x73657276696365', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 10, 'resource_types', '\x736f756e64', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 11, 'resource_types', '\x7374696c6c20696d616765', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 12, 'resource_types', '\x736f667477617265', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 13, 'resource_types', '\x74657874', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 27, 'subject', '\x686172626f757273', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 28, 'subject', '\x66697368696e6720626f617473', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 29, 'subject', '\x6c69676874686f75736573', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 30, 'subject', '\x6f72616c20686973746f7279', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 31, 'subject', '\x73746f726d73', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 32, 'subject', '\x746964616c206d696c6c73', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'taxonomy_term', 33, 'subject', '\x66657465732026207265676174746173', 1551466800, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'node', 1, 'islandora_object', '\x6c657474657273206f662074686520686172626f7572', 1768035600, true, ' field_model/23 ');
INSERT INTO public.atoll_listings VALUES (1, 'node', 2, 'islandora_object', '\x612076696577206f66207468652071756179', 1768205700, true, ' field_model/24 field_member_of/1 ');
INSERT INTO public.atoll_listings VALUES (1, 'node', 3, 'islandora_object', '\x61206472616674', 1768035600, false, ' field_model/26 field_member_of/1 ');
INSERT INTO public.atoll_listings VALUES (1, 'media', 1, 'image', '\x717561792e706e67', 1768127460, true, ' field_media_use/16 field_media_of/2 ');
INSERT INTO public.atoll_listings VALUES (1, 'media', 2, 'file', '\x717561792e747874', 1768127520, true, ' field_media_use/14 field_media_of/2 ');
INSERT INTO public.atoll_listings VALUES (1, 'file', 1, 'file', '\x717561792e706e67', 1768127460, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'file', 2, 'file', '\x717561792e747874', 1768127520, true, '');
INSERT INTO public.atoll_listings VALUES (1, 'file', 3, 'file', '\x67656e657269632e706e67', 1768127520, true, '');
INSERT INTO public.atoll_listings VALUES (2, 'node', 4, 'islandora_object', '\x6c6564676572206f66207468652070696c6f7473', 1795963748, true, ' field_model/26 field_member_of/1 ');
INSERT INTO public.atoll_listings VALUES (2, 'node', 1, 'islandora_object', '\x6c657474657273206f66207468652070696c6f7473', 1795963748, true, ' field_model/23 ');
INSERT INTO public.atoll_listings VALUES (2, 'file', 4, 'file', '\x6c65646765722e747874', 1795963748, true, '');
INSERT INTO public.atoll_listings VALUES (2, 'media', 3, 'file', '\x6c65646765722e747874', 1795963748, true, ' field_media_use/16 field_media_of/4 ');
INSERT INTO public.atoll_listings VALUES (2, 'node', 2, 'islandora_object', '\x612076696577206f66207468652071756179', 1768205700, true, ' field_model/24 field_member_of/1 ');
INSERT INTO public.atoll_listings VALUES (2, 'path_alias', 1, 'path_alias', '\x2f71756179', 0, true, '');
INSERT INTO public.atoll_listings VALUES (2, 'redirect', 1, 'redirect', '\x', 0, false, '');
INSERT INTO public.atoll_listings VALUES (2, 'taxonomy_term', 46, 'person', '\x77656e642c206164612c20313835302d31393331', 1795963748, true, '');
INSERT INTO public.atoll_listings VALUES (2, 'node', 5, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.atoll_listings VALUES (4, 'node', 1, 'islandora_object', '\x6c657474657273206f66206120747269616c', 1795963749, true, ' field_model/23 ');
INSERT INTO public.atoll_listings VALUES (4, 'node', 4, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.atoll_listings VALUES (3, 'node', 2, 'islandora_object', '\x7468652071756179206174206e69676874', 1795963749, true, ' field_model/24 field_member_of/1 ');


--
-- Data for Name: atoll_observed_worlds; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.atoll_observed_worlds VALUES (1, 11, 0, 0, 0);
INSERT INTO public.atoll_observed_worlds VALUES (2, 2, 0, 0, 0);


--
-- Data for Name: atoll_records; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.atoll_records VALUES (1, 'user', 0, 'user', '{"type":"user","id":0,"uuid":"6257814b-1f04-4846-be18-21439c5c67e7","bundle":"user","fields":{"default_langcode":[{"value":true}],"langcode":[{"value":"en"}],"created":[{"value":1551466800}],"changed":[{"value":1551466800}],"name":[{"value":""}],"status":[{"value":false}]}}');
INSERT INTO public.atoll_records VALUES (1, 'user', 1, 'user', '{"type":"user","id":1,"uuid":"46a47057-de2d-4ce2-87ae-dbe4551209b8","bundle":"user","fields":{"default_langcode":[{"value":true}],"langcode":[{"value":"en"}],"created":[{"value":1551466800}],"changed":[{"value":1551466800}],"name":[{"value":"admin"}],"mail":[{"value":"admin@example.org"}],"status":[{"value":true}],"preferred_langcode":[{"value":"en"}],"timezone":[{"value":"UTC"}],"init":[{"value":"admin@example.org"}],"access":[{"value":0}],"login":[{"value":0}],"roles":[{"target_id":"administrator"},{"target_id":"fedoraadmin"}]},"password":"scrypt$16384$8$1$jGl25bVBBBW96Qi9Te4V3w==$4eCnocpy7Mim8alxiuunuJ59fA8JPL0L2B0jGJVJHcE="}');
INSERT INTO public.atoll_records VALUES (1, 'user', 2, 'user', '{"type":"user","id":2,"uuid":"f9a4f28e-29d0-4294-acac-37c1b2d56441","bundle":"user","fields":{"default_langcode":[{"value":true}],"langcode":[{"value":"en"}],"created":[{"value":1551466800}],"changed":[{"value":1551466800}],"name":[{"value":"editor"}],"mail":[{"value":"editor@example.org"}],"status":[{"value":true}],"preferred_langcode":[{"value":"en"}],"timezone":[{"value":"UTC"}],"init":[{"value":"editor@example.org"}],"access":[{"value":0}],"login":[{"value":0}],"roles":[{"target_id":"editor"}]},"password":"scrypt$16384$8$1$FVPMYv8kYETGg6YeID5lVA==$XM7OJGaoMQTs/OuA/H6mKAtcpPhgxNOEltWRAuowj5A="}');
INSERT INTO public.atoll_records VALUES (1, 'user', 3, 'user', '{"type":"user","id":3,"uuid":"7edb503a-b48f-4ce3-ad73-e63afce6fcb7","bundle":"user","fields":{"default_langcode":[{"value":true}],"langcode":[{"value":"en"}],"created":[{"value":1551466800}],"changed":[{"value":1551466800}],"name":[{"value":"viewer"}],"mail":[{"value":"viewer@example.org"}],"status":[{"value":true}],"preferred_langcode":[{"value":"en"}],"timezone":[{"value":"UTC"}],"init":[{"value":"viewer@example.org"}],"access":[{"value":0}],"login":[{"value":0}],"roles":[{"target_id":"viewer"}]},"password":"scrypt$16384$8$1$01ylBRuC/8Mmo7C2V0qaMQ==$nZZO2SEhGkR43X+eLC8bhe8W3IXFkr1D1dmWxHCt2ow="}');
INSERT INTO public.atoll_records VALUES (1, 'user', 4, 'user', '{"type":"user","id":4,"uuid":"3601011f-7644-4998-84e9-c5ee66e0bd07","bundle":"user","fields":{"default_langcode":[{"value":true}],"langcode":[{"value":"en"}],"created":[{"value":1551466800}],"changed":[{"value":1551466800}],"name":[{"value":"plain"}],"mail":[{"value":"plain@example.org"}],"status":[{"value":true}],"preferred_langcode":[{"value":"en"}],"timezone":[{"value":"UTC"}],"init":[{"value":"plain@example.org"}],"access":[{"value":0}],"login":[{"value":0}]},"password":"scrypt$16384$8$1$oRbJ7UbWIHc0pDMX0w/Yjw==$xgo5rTo7Va20VP673vtG7gcorKerRKzzsVWQj3xeMQg="}');
INSERT INTO public.atoll_records VALUES (1, 'user', 5, 'user', '{"type":"user","id":5,"uuid":"17f6f3cc-c8db-4f57-b185-ab87dd6c557e","bundle":"user","fields":{"default_langcode":[{"value":true}],"langcode":[{"value":"en"}],"created":[{"value":1551466800}],"changed":[{"value":1551466800}],"name":[{"value":"blocked"}],"mail":[{"value":"blocked@example.org"}],"status":[{"value":false}],"preferred_langcode":[{"value":"en"}],"timezone":[{"value":"UTC"}],"init":[{"value":"blocked@example.org"}],"access":[{"value":0}],"login":[{"value":0}]},"password":"scrypt$16384$8$1$aXPd3T75y2opMnAvMXd/qg==$BY7aIZtbAoB9/MhjgvZIKS7Qj79shjVmv6pk63FehBg="}');
INSERT INTO public.atoll_records VALUES (1, 'user', 6, 'user', '{"type":"user","id":6,"uuid":"d40825ea-fffd-45e5-b467-2172feae5fe2","bundle":"user","fields":{"default_langcode":[{"value":true}],"langcode":[{"value":"en"}],"created":[{"value":1551466800}],"changed":[{"value":1551466800}],"name":[{"value":"owner"}],"mail":[{"value":"owner@example.org"}],"status":[{"value":true}],"preferred_langcode":[{"value":"en"}],"timezone":[{"value":"UTC"}],"init":[{"value":"owner@example.org"}],"access":[{"value":0}],"login":[{"value":0}],"roles":[{"target_id":"owner"}]},"password":"scrypt$16384$8$1$TBApaX7jWHFdOhSirdgXxA==$1QTQX8BcM6U5iX4aqJAlOmV6SpvAYnV8PtT8NUzT7LE="}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 39, 'corporate_body', '{"type":"taxonomy_term","id":39,"uuid":"47c32fd2-f929-4376-9454-e1394cfb4e05","bundle":"corporate_body","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":39}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Saltmarsh Quay Historical Society"}],"description":[{"value":"Keeper of the archive","format":null}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 40, 'corporate_body', '{"type":"taxonomy_term","id":40,"uuid":"f5ad9d49-f5c7-4a9a-9d4b-c12f81275a88","bundle":"corporate_body","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":40}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Harbour Board of Saltmarsh Quay"}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 41, 'corporate_body', '{"type":"taxonomy_term","id":41,"uuid":"fa803bf2-1586-4050-af6f-c3fb8813657c","bundle":"corporate_body","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":41}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Quellan & Daughters, Photographers"}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 42, 'family', '{"type":"taxonomy_term","id":42,"uuid":"ac8e369f-0045-40cc-8b7c-6e056000a7b8","bundle":"family","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":42}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Brixfield family"}],"description":[{"value":"Harbour masters for three generations","format":null}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 43, 'geo_location', '{"type":"taxonomy_term","id":43,"uuid":"ad4899cc-7bde-418e-929f-5f2a0609838b","bundle":"geo_location","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":43}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Saltmarsh Quay"}],"description":[{"value":"A small harbour town at the mouth of the Wend","format":null}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 44, 'geo_location', '{"type":"taxonomy_term","id":44,"uuid":"b0e422ca-186b-4709-af2b-642550ef10d5","bundle":"geo_location","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":44}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Gannet Point"}],"description":[{"value":"Headland with a lighthouse","format":null}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 45, 'geo_location', '{"type":"taxonomy_term","id":45,"uuid":"068a9945-69be-43f5-aa32-dcb44988fe74","bundle":"geo_location","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":45}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Wend estuary"}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 1, 'islandora_display', '{"type":"taxonomy_term","id":1,"uuid":"b9a9d91e-820e-4e05-bea3-81ee1979bad7","bundle":"islandora_display","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":1}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Open Seadragon"}],"description":[{"value":"Shows images in an OpenSeadragon viewer","format":null}],"field_external_uri":[{"uri":"http://openseadragon.github.io","title":null,"options":[]}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 2, 'islandora_display', '{"type":"taxonomy_term","id":2,"uuid":"3babddf9-b3a3-4fe8-a88b-f051b5637dbd","bundle":"islandora_display","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":2}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"PDFjs"}],"description":[{"value":"Shows PDF documents in a PDF.js viewer","format":null}],"field_external_uri":[{"uri":"http://mozilla.github.io/pdf.js","title":null,"options":[]}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 14, 'islandora_media_use', '{"type":"taxonomy_term","id":14,"uuid":"63e5764b-40c7-4c2b-9765-948a20b422ba","bundle":"islandora_media_use","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":14}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Extracted Text"}],"description":[{"value":"The words of an object, read out of another of its files","format":null}],"field_external_uri":[{"uri":"http://pcdm.org/use#ExtractedText","title":null,"options":[]}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 15, 'islandora_media_use', '{"type":"taxonomy_term","id":15,"uuid":"e4925939-7068-4e5e-bd5c-5879d4bca9ce","bundle":"islandora_media_use","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":15}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Intermediate File"}],"description":[{"value":"A file made on the way from an original to a service file","format":null}],"field_external_uri":[{"uri":"http://pcdm.org/use#IntermediateFile","title":null,"options":[]}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 16, 'islandora_media_use', '{"type":"taxonomy_term","id":16,"uuid":"08e01ff9-eb72-42f5-ae3a-8b21ba0c0bc3","bundle":"islandora_media_use","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":16}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Original File"}],"description":[{"value":"The file an object was first deposited with","format":null}],"field_external_uri":[{"uri":"http://pcdm.org/use#OriginalFile","title":null,"options":[]}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 17, 'islandora_media_use', '{"type":"taxonomy_term","id":17,"uuid":"67175333-3095-4b02-9266-c7e2158788d7","bundle":"islandora_media_use","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":17}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Preservation Master File"}],"description":[{"value":"The best copy, kept for the long term","format":null}],"field_external_uri":[{"uri":"http://pcdm.org/use#PreservationMasterFile","title":null,"options":[]}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 18, 'islandora_media_use', '{"type":"taxonomy_term","id":18,"uuid":"e8c698a7-8c15-47c4-8567-1c27f8f0c19e","bundle":"islandora_media_use","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":18}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Service File"}],"description":[{"value":"A copy of moderate quality for everyday viewing or listening","format":null}],"field_external_uri":[{"uri":"http://pcdm.org/use#ServiceFile","title":null,"options":[]}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 19, 'islandora_media_use', '{"type":"taxonomy_term","id":19,"uuid":"055ad4ff-0a18-4f96-8c1c-bc3e33c25bc3","bundle":"islandora_media_use","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":19}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Thumbnail Image"}],"description":[{"value":"A small image that stands for an object in lists","format":null}],"field_external_uri":[{"uri":"http://pcdm.org/use#ThumbnailImage","title":null,"options":[]}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 20, 'islandora_media_use', '{"type":"taxonomy_term","id":20,"uuid":"0c58ca8f-c35b-4ff6-8ef4-6a1991cef3a4","bundle":"islandora_media_use","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":20}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Transcript"}],"description":[{"value":"The words of a recording or a page, written out by hand","format":null}],"field_external_uri":[{"uri":"http://pcdm.org/use#Transcript","title":null,"options":[]}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 21, 'islandora_models', '{"type":"taxonomy_term","id":21,"uuid":"09d74004-5f03-4e5e-9963-98d7d72671e5","bundle":"islandora_models","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":21}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Audio"}],"description":[{"value":"A recording that is made to be listened to","format":null}],"field_external_uri":[{"uri":"http://purl.org/coar/resource_type/c_18cc","title":null,"options":[]}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 22, 'islandora_models', '{"type":"taxonomy_term","id":22,"uuid":"e1f167e1-124d-4db4-96ab-30641ca4e21b","bundle":"islandora_models","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":22}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Binary"}],"description":[{"value":"An object that is kept as it is, without a viewer of its own","format":null}],"field_external_uri":[{"uri":"http://purl.org/coar/resource_type/c_1843","title":null,"options":[]}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 23, 'islandora_models', '{"type":"taxonomy_term","id":23,"uuid":"6a3b293d-4617-417b-99d2-23d75b57f7c2","bundle":"islandora_models","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":23}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Collection"}],"description":[{"value":"A group of objects that belong together","format":null}],"field_external_uri":[{"uri":"http://purl.org/dc/dcmitype/Collection","title":null,"options":[]}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 24, 'islandora_models', '{"type":"taxonomy_term","id":24,"uuid":"e7560b68-e95a-4e76-9671-2a3041cd9800","bundle":"islandora_models","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":24}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Image"}],"description":[{"value":"A visual representation other than text, including all types of moving image and still image","format":null}],"field_external_uri":[{"uri":"http://purl.org/coar/resource_type/c_c513","title":null,"options":[]}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 25, 'islandora_models', '{"type":"taxonomy_term","id":25,"uuid":"41df87dd-e543-4d78-add7-ac55cdebae18","bundle":"islandora_models","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":25}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Video"}],"description":[{"value":"A recording of moving images, with or without sound","format":null}],"field_external_uri":[{"uri":"http://purl.org/coar/resource_type/c_12ce","title":null,"options":[]}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 26, 'islandora_models', '{"type":"taxonomy_term","id":26,"uuid":"66e7fe15-7077-4399-9b70-2931c64ea87b","bundle":"islandora_models","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":26}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Digital Document"}],"description":[{"value":"A text in electronic form, to be read page by page","format":null}],"field_external_uri":[{"uri":"https://schema.org/DigitalDocument","title":null,"options":[]}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 34, 'person', '{"type":"taxonomy_term","id":34,"uuid":"0c26e03b-ddac-459d-a57d-42093117aec4","bundle":"person","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":34}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Quellan, Maren, 1871-1948"}],"description":[{"value":"Photographer in Saltmarsh Quay","format":null}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 35, 'person', '{"type":"taxonomy_term","id":35,"uuid":"84414bdb-5a86-4b0b-8566-df6ff078c6ff","bundle":"person","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":35}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Brixfield, Tobias, 1902-1979"}],"description":[{"value":"Harbour master and diarist","format":null}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 36, 'person', '{"type":"taxonomy_term","id":36,"uuid":"cdb78d54-3704-495f-bc04-17039469a037","bundle":"person","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":36}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Orvéa, Léonie"}],"description":[{"value":"Collector of songs and sea stories","format":null}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 37, 'person', '{"type":"taxonomy_term","id":37,"uuid":"fde0fae2-0b2c-4454-8c56-16b633a85735","bundle":"person","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":37}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Ashgrove, Imogen"}],"description":[{"value":"Interviewer of the Saltmarsh Voices project","format":null}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 38, 'person', '{"type":"taxonomy_term","id":38,"uuid":"0fe9764a-703b-4972-8c12-2440b6ef29c9","bundle":"person","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":38}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"林海生 (Lin, Haisheng)"}],"description":[{"value":"Ship''s carpenter and painter","format":null}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 3, 'resource_types', '{"type":"taxonomy_term","id":3,"uuid":"aa2bf5f2-0fd9-4b8e-b3f3-6962c20cb0b8","bundle":"resource_types","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":3}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Collection"}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 4, 'resource_types', '{"type":"taxonomy_term","id":4,"uuid":"7442b266-9ce6-4204-8c31-02ebbd74f9c3","bundle":"resource_types","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":4}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Dataset"}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 5, 'resource_types', '{"type":"taxonomy_term","id":5,"uuid":"3ed9153c-d274-4666-b0cc-f775922fc24a","bundle":"resource_types","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":5}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Image"}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 6, 'resource_types', '{"type":"taxonomy_term","id":6,"uuid":"de9707d4-4e4e-46fd-9cd6-d0fc8cb7f09c","bundle":"resource_types","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":6}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Interactive Resource"}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 7, 'resource_types', '{"type":"taxonomy_term","id":7,"uuid":"4aea7aaf-3bab-4914-a6fe-996501aac8ba","bundle":"resource_types","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":7}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Moving Image"}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 8, 'resource_types', '{"type":"taxonomy_term","id":8,"uuid":"25e25c61-9cfc-49f7-9389-868497091bef","bundle":"resource_types","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":8}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Physical Object"}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 9, 'resource_types', '{"type":"taxonomy_term","id":9,"uuid":"d2026c90-ae34-4520-bf08-45940ce9ee76","bundle":"resource_types","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":9}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Service"}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 10, 'resource_types', '{"type":"taxonomy_term","id":10,"uuid":"b7f1349a-e53c-410b-92fd-d13fee4b2f83","bundle":"resource_types","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":10}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Sound"}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 11, 'resource_types', '{"type":"taxonomy_term","id":11,"uuid":"558436b7-16c9-460e-95e6-19d6b5197579","bundle":"resource_types","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":11}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Still Image"}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 12, 'resource_types', '{"type":"taxonomy_term","id":12,"uuid":"3c59b502-a807-4d83-b522-210a50a97048","bundle":"resource_types","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":12}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Software"}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 13, 'resource_types', '{"type":"taxonomy_term","id":13,"uuid":"6d51fd30-49be-4238-aa1b-457203402cda","bundle":"resource_types","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":13}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Text"}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 27, 'subject', '{"type":"taxonomy_term","id":27,"uuid":"a4417aac-eeed-4c56-be18-0cd0101cd54d","bundle":"subject","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":27}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Harbours"}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 28, 'subject', '{"type":"taxonomy_term","id":28,"uuid":"e254ea09-d527-4517-8522-d73a8bc14a6d","bundle":"subject","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":28}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Fishing boats"}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 29, 'subject', '{"type":"taxonomy_term","id":29,"uuid":"f7200285-7b6d-46d7-b34f-5bfb4e659b17","bundle":"subject","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":29}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Lighthouses"}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 30, 'subject', '{"type":"taxonomy_term","id":30,"uuid":"b415b2e5-d6d9-420c-8f24-fa471062a1e3","bundle":"subject","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":30}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Oral history"}],"description":[{"value":"Memories told to an interviewer and recorded","format":null}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 31, 'subject', '{"type":"taxonomy_term","id":31,"uuid":"2db9d4a8-3a77-48c5-b8c4-bd29ec8d8c78","bundle":"subject","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":31}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Storms"}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 32, 'subject', '{"type":"taxonomy_term","id":32,"uuid":"889327de-8687-43cc-af5d-a86f6cbcf283","bundle":"subject","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":32}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Tidal mills"}],"description":[{"value":"Mills driven by the ebb of a dammed-up tide","format":null}]}}');
INSERT INTO public.atoll_records VALUES (1, 'taxonomy_term', 33, 'subject', '{"type":"taxonomy_term","id":33,"uuid":"d594505b-bd3a-48de-b8a5-23b30ed20b75","bundle":"subject","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1551466800}],"revision_id":[{"value":33}],"revision_created":[{"value":1551466800}],"content_translation_uid":[{"target_id":0}],"content_translation_created":[{"value":1551466800}],"name":[{"value":"Fêtes & regattas"}]}}');
INSERT INTO public.atoll_records VALUES (1, 'node', 1, 'islandora_object', '{"type":"node","id":1,"uuid":"045a9ba1-decd-4e1b-b920-ed255eae4fca","bundle":"islandora_object","fields":{"vid":[{"value":1}],"langcode":[{"value":"en"}],"revision_timestamp":[{"value":1768035600}],"revision_uid":[{"target_id":1}],"status":[{"value":true}],"title":[{"value":"Letters of the harbour"}],"uid":[{"target_id":1}],"created":[{"value":1768035600}],"changed":[{"value":1768035600}],"promote":[{"value":true}],"sticky":[{"value":false}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"field_description":[{"value":"What the pilots wrote home."}],"field_extent":[{"value":"1 item"}],"field_model":[{"target_id":23}],"field_subject":[{"target_id":27}]}}');
INSERT INTO public.atoll_records VALUES (1, 'node', 2, 'islandora_object', '{"type":"node","id":2,"uuid":"8238613e-51f3-4fcf-8714-2b3662419cec","bundle":"islandora_object","fields":{"vid":[{"value":4}],"langcode":[{"value":"en"}],"revision_timestamp":[{"value":1768205700}],"revision_uid":[{"target_id":1}],"status":[{"value":true}],"title":[{"value":"A view of the quay"}],"uid":[{"target_id":2}],"created":[{"value":1768127400}],"changed":[{"value":1768205700}],"promote":[{"value":true}],"sticky":[{"value":false}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"field_description":[{"value":"Drawn on the back of a bill."}],"field_edtf_date":[{"value":"1893-05~"}],"field_extent":[{"value":"1 item"}],"field_linked_agent":[{"target_id":34,"rel_type":"relators:pht"}],"field_member_of":[{"target_id":1}],"field_model":[{"target_id":24}]},"translations":{"fr":{"title":[{"value":"Une vue du quai"}]}}}');
INSERT INTO public.atoll_records VALUES (1, 'node', 3, 'islandora_object', '{"type":"node","id":3,"uuid":"32ea1959-aa08-4b8f-94b6-d4fc0bd5e197","bundle":"islandora_object","fields":{"vid":[{"value":3}],"langcode":[{"value":"en"}],"revision_timestamp":[{"value":1768035600}],"revision_uid":[{"target_id":2}],"status":[{"value":false}],"title":[{"value":"A draft"}],"uid":[{"target_id":2}],"created":[{"value":1768035600}],"changed":[{"value":1768035600}],"promote":[{"value":true}],"sticky":[{"value":false}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"field_extent":[{"value":"1 item"}],"field_member_of":[{"target_id":1}],"field_model":[{"target_id":26}]}}');
INSERT INTO public.atoll_records VALUES (1, 'media', 1, 'image', '{"type":"media","id":1,"uuid":"13ef5aa4-5427-40eb-ba81-b8d76a609dd4","bundle":"image","fields":{"vid":[{"value":1}],"langcode":[{"value":"en"}],"revision_created":[{"value":1768127460}],"status":[{"value":true}],"name":[{"value":"quay.png"}],"thumbnail":[{"target_id":1,"alt":"A quay, in twelve pixels","title":null,"width":4,"height":3}],"uid":[{"target_id":2}],"created":[{"value":1768127460}],"changed":[{"value":1768127460}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"field_file_size":[{"value":96}],"field_height":[{"value":3}],"field_media_image":[{"target_id":1,"alt":"A quay, in twelve pixels","title":null,"width":4,"height":3}],"field_media_of":[{"target_id":2}],"field_media_use":[{"target_id":16}],"field_mime_type":[{"value":"image/png"}],"field_width":[{"value":4}]}}');
INSERT INTO public.atoll_records VALUES (1, 'media', 2, 'file', '{"type":"media","id":2,"uuid":"b47ba3c6-1964-42ec-b4c1-0358e7b3d436","bundle":"file","fields":{"vid":[{"value":2}],"langcode":[{"value":"en"}],"revision_created":[{"value":1768127520}],"status":[{"value":true}],"name":[{"value":"quay.txt"}],"thumbnail":[{"target_id":3,"alt":"","title":null,"width":180,"height":180}],"uid":[{"target_id":2}],"created":[{"value":1768127520}],"changed":[{"value":1768127520}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"field_file_size":[{"value":45}],"field_media_file":[{"target_id":2,"display":null,"description":null}],"field_media_of":[{"target_id":2}],"field_media_use":[{"target_id":14}],"field_mime_type":[{"value":"text/plain"}]}}');
INSERT INTO public.atoll_records VALUES (1, 'file', 1, 'file', '{"type":"file","id":1,"uuid":"d12a6a06-3d5e-4587-bd97-f23f6d84cfa1","bundle":"file","fields":{"langcode":[{"value":"en"}],"uid":[{"target_id":2}],"filename":[{"value":"quay.png"}],"uri":[{"value":"public://2026-01/quay.png"}],"filemime":[{"value":"image/png"}],"filesize":[{"value":96}],"status":[{"value":true}],"created":[{"value":1768127460}],"changed":[{"value":1768127460}]},"blob":{"key":"19789ff3a879450cb0509bf78bf3ad85","size":96,"sha256":"dbecc9f3f7f963aff51128439dac2be3ac52514ad57f688a72e12c6f5515d5f1","width":4,"height":3}}');
INSERT INTO public.atoll_records VALUES (1, 'file', 2, 'file', '{"type":"file","id":2,"uuid":"01655fc9-dd06-4f75-bd88-7b68d8d96de5","bundle":"file","fields":{"langcode":[{"value":"en"}],"uid":[{"target_id":2}],"filename":[{"value":"quay.txt"}],"uri":[{"value":"fedora://2026-01/quay.txt"}],"filemime":[{"value":"text/plain"}],"filesize":[{"value":45}],"status":[{"value":true}],"created":[{"value":1768127520}],"changed":[{"value":1768127520}]},"blob":{"key":"a855735eccb34395a6f9fe755bb3b71e","size":45,"sha256":"58645a7cf1caa90c96f3a75e95a73e077df09d68c53aa9d44544ad3f10906d44"}}');
INSERT INTO public.atoll_records VALUES (1, 'file', 3, 'file', '{"type":"file","id":3,"uuid":"092a1eeb-f6d7-47f1-97c1-af51003a74dc","bundle":"file","fields":{"langcode":[{"value":"en"}],"uid":[{"target_id":2}],"filename":[{"value":"generic.png"}],"uri":[{"value":"public://media-icons/generic/generic.png"}],"filemime":[{"value":"image/png"}],"filesize":[{"value":1361}],"status":[{"value":true}],"created":[{"value":1768127520}],"changed":[{"value":1768127520}]},"blob":{"key":"15208dc8ac214fe6910c5c47aa71204c","size":1361,"sha256":"2a8cefd8860b4c296d67f8cbb0c7f9f680afa5dd89f2677fa9f8edb44325f124","width":180,"height":180}}');
INSERT INTO public.atoll_records VALUES (2, 'node', 4, 'islandora_object', '{"type":"node","id":4,"uuid":"6cb564fe-4e50-4d12-bcb6-2c5be368db8c","bundle":"islandora_object","fields":{"status":[{"value":true}],"promote":[{"value":true}],"sticky":[{"value":false}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"field_extent":[{"value":"1 item"}],"langcode":[{"value":"en"}],"uid":[{"target_id":1}],"created":[{"value":1795963748}],"changed":[{"value":1795963748}],"vid":[{"value":6}],"revision_timestamp":[{"value":1795963748}],"revision_uid":[{"target_id":1}],"title":[{"value":"Ledger of the pilots"}],"field_model":[{"target_id":26}],"field_member_of":[{"target_id":1}],"moderation_state":[{"value":"published"}]}}');
INSERT INTO public.atoll_records VALUES (2, 'node', 1, 'islandora_object', '{"type":"node","id":1,"uuid":"045a9ba1-decd-4e1b-b920-ed255eae4fca","bundle":"islandora_object","fields":{"vid":[{"value":7}],"langcode":[{"value":"en"}],"revision_timestamp":[{"value":1795963748}],"revision_uid":[{"target_id":1}],"status":[{"value":true}],"title":[{"value":"Letters of the pilots"}],"uid":[{"target_id":1}],"created":[{"value":1768035600}],"changed":[{"value":1795963748}],"promote":[{"value":true}],"sticky":[{"value":false}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"field_description":[{"value":"What the pilots wrote home."}],"field_extent":[{"value":"1 item"}],"field_model":[{"target_id":23}],"field_subject":[{"target_id":27}],"moderation_state":[{"value":"published"}]}}');
INSERT INTO public.atoll_records VALUES (2, 'file', 4, 'file', '{"type":"file","id":4,"uuid":"517e0406-622f-42c6-b66a-3719d223e566","bundle":"file","blob":{"key":"350df18acfb44eaeb815b1ed739c4466","size":29,"sha256":"f7b970426fb9221ca74ee16a935b1b148fe11ea9313135a7ab4a97330ec47403"},"fields":{"langcode":[{"value":"en"}],"uid":[{"target_id":1}],"created":[{"value":1795963748}],"changed":[{"value":1795963748}],"filename":[{"value":"ledger.txt"}],"uri":[{"value":"fedora://2026-02/ledger.txt"}],"filemime":[{"value":"text/plain"}],"filesize":[{"value":29}],"status":[{"value":true}],"sha1":[{"value":"16225311bddc8f0fe87a3ec028a5cd33c2807c73"}]}}');
INSERT INTO public.atoll_records VALUES (2, 'media', 3, 'file', '{"type":"media","id":3,"uuid":"8903d0bf-0eac-486c-8966-22a2aa6d53a0","bundle":"file","fields":{"status":[{"value":true}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"uid":[{"target_id":1}],"created":[{"value":1795963748}],"changed":[{"value":1795963748}],"vid":[{"value":3}],"revision_created":[{"value":1795963748}],"field_media_file":[{"target_id":4,"display":null,"description":null}],"field_media_of":[{"target_id":4}],"field_media_use":[{"target_id":16}],"name":[{"value":"ledger.txt"}],"field_mime_type":[{"value":"text/plain"}],"field_file_size":[{"value":29}],"thumbnail":[{"target_id":3,"alt":"","title":null,"width":180,"height":180}]}}');
INSERT INTO public.atoll_records VALUES (2, 'node', 2, 'islandora_object', '{"type":"node","id":2,"uuid":"8238613e-51f3-4fcf-8714-2b3662419cec","bundle":"islandora_object","fields":{"vid":[{"value":4}],"langcode":[{"value":"en"}],"revision_timestamp":[{"value":1768205700}],"revision_uid":[{"target_id":1}],"status":[{"value":true}],"title":[{"value":"A view of the quay"}],"uid":[{"target_id":2}],"created":[{"value":1768127400}],"changed":[{"value":1768205700}],"promote":[{"value":true}],"sticky":[{"value":false}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"field_description":[{"value":"Drawn on the back of a bill."}],"field_edtf_date":[{"value":"1893-05~"}],"field_extent":[{"value":"1 item"}],"field_linked_agent":[{"target_id":34,"rel_type":"relators:pht"}],"field_member_of":[{"target_id":1}],"field_model":[{"target_id":24}],"path":[{"alias":"/quay","pid":1,"langcode":"en"}]},"translations":{"fr":{"title":[{"value":"Une vue du quai"}]}}}');
INSERT INTO public.atoll_records VALUES (2, 'path_alias', 1, 'path_alias', '{"type":"path_alias","id":1,"uuid":"9f2ebb2d-056b-461d-91fc-a79b667df2e2","bundle":"path_alias","fields":{"langcode":[{"value":"en"}],"status":[{"value":true}],"revision_id":[{"value":1}],"path":[{"value":"/node/2"}],"alias":[{"value":"/quay"}]}}');
INSERT INTO public.atoll_records VALUES (2, 'redirect', 1, 'redirect', '{"type":"redirect","id":1,"uuid":"2ac62ad9-eaf4-4739-9dad-e27c10b5a572","bundle":"redirect","fields":{"enabled":[{"value":true}],"status_code":[{"value":301}],"language":[{"value":"en"}],"uid":[{"target_id":1}],"created":[{"value":1795963748}],"redirect_source":[{"path":"old-quay"}],"redirect_redirect":[{"uri":"internal:/node/2","title":null,"options":[]}],"hash":[{"value":"7JHNf49QgvRc6N30Z9MgXFZVwlqp_bA5rotjZ1u9-wU"}]}}');
INSERT INTO public.atoll_records VALUES (2, 'taxonomy_term', 46, 'person', '{"type":"taxonomy_term","id":46,"uuid":"97e12caa-d4ed-4859-a694-e9e607ad6bae","bundle":"person","fields":{"status":[{"value":true}],"weight":[{"value":0}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"langcode":[{"value":"en"}],"changed":[{"value":1795963748}],"revision_id":[{"value":46}],"revision_created":[{"value":1795963748}],"content_translation_uid":[{"target_id":1}],"content_translation_created":[{"value":1795963748}],"name":[{"value":"Wend, Ada, 1850-1931"}]}}');
INSERT INTO public.atoll_records VALUES (2, 'node', 5, NULL, NULL);
INSERT INTO public.atoll_records VALUES (4, 'node', 1, 'islandora_object', '{"type":"node","id":1,"uuid":"045a9ba1-decd-4e1b-b920-ed255eae4fca","bundle":"islandora_object","fields":{"vid":[{"value":9}],"langcode":[{"value":"en"}],"revision_timestamp":[{"value":1795963749}],"revision_uid":[{"target_id":1}],"status":[{"value":true}],"title":[{"value":"Letters of a trial"}],"uid":[{"target_id":1}],"created":[{"value":1768035600}],"changed":[{"value":1795963749}],"promote":[{"value":true}],"sticky":[{"value":false}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"field_description":[{"value":"What the pilots wrote home."}],"field_extent":[{"value":"1 item"}],"field_model":[{"target_id":23}],"field_subject":[{"target_id":27}],"moderation_state":[{"value":"published"}]}}');
INSERT INTO public.atoll_records VALUES (4, 'node', 4, NULL, NULL);
INSERT INTO public.atoll_records VALUES (3, 'node', 2, 'islandora_object', '{"type":"node","id":2,"uuid":"8238613e-51f3-4fcf-8714-2b3662419cec","bundle":"islandora_object","fields":{"vid":[{"value":9}],"langcode":[{"value":"en"}],"revision_timestamp":[{"value":1795963749}],"revision_uid":[{"target_id":1}],"status":[{"value":true}],"title":[{"value":"The quay at night"}],"uid":[{"target_id":2}],"created":[{"value":1768127400}],"changed":[{"value":1795963749}],"promote":[{"value":true}],"sticky":[{"value":false}],"default_langcode":[{"value":true}],"revision_translation_affected":[{"value":true}],"content_translation_source":[{"value":"und"}],"content_translation_outdated":[{"value":false}],"field_description":[{"value":"Drawn on the back of a bill."}],"field_edtf_date":[{"value":"1893-05~"}],"field_extent":[{"value":"1 item"}],"field_linked_agent":[{"target_id":34,"rel_type":"relators:pht"}],"field_member_of":[{"target_id":1}],"field_model":[{"target_id":24}],"path":[{"alias":"/quay","pid":1,"langcode":"en"}],"moderation_state":[{"value":"published"}]},"translations":{"fr":{"title":[{"value":"Une vue du quai"}]}}}');


--
-- Data for Name: atoll_schema; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.atoll_schema VALUES (true, 1, 1, '17cc4195-02f5-41c3-89a8-603acbdc3b20', NULL);


--
-- Data for Name: atoll_snapshots; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.atoll_snapshots VALUES (1, 'before-trial', '{2,1}', '{"node":5,"node_revision":8,"media":3,"media_revision":3,"file":4,"taxonomy_term":46,"taxonomy_term_revision":46,"user":6,"user_revision":0,"file_revision":0,"path_alias_revision":1,"path_alias":1,"redirect_revision":1,"redirect":1}', '{"user":7,"user/user":7,"taxonomy_term":46,"taxonomy_term/corporate_body":3,"taxonomy_term/family":1,"taxonomy_term/geo_location":3,"taxonomy_term/islandora_display":2,"taxonomy_term/islandora_media_use":7,"taxonomy_term/islandora_models":6,"taxonomy_term/person":6,"taxonomy_term/resource_types":11,"taxonomy_term/subject":7,"node":4,"node/islandora_object":4,"media":3,"media/image":1,"media/file":2,"file":4,"file/file":4,"path_alias":1,"path_alias/path_alias":1,"redirect":1,"redirect/redirect":1}', NULL, 1795963748867, NULL);


--
-- Data for Name: atoll_state; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.atoll_state VALUES (0, 'bytes', 'directory', 'true');
INSERT INTO public.atoll_state VALUES (1, 'anonymous-token', '13d1d894-0a2b', '"BoZk_MFf8yW-Bkst5NScnAGiXz0snJqLG_yrpPezzK0"');
INSERT INTO public.atoll_state VALUES (1, 'basic-flood-users-processes', '13d1d894-0a2b', 'true');
INSERT INTO public.atoll_state VALUES (1, 'basic-flood-addresses-processes', '13d1d894-0a2b', 'true');
INSERT INTO public.atoll_state VALUES (2, 'anonymous-token', '13d1d894-0a2b', '"0mFqZTgE3nognoSbU7rQZH87_r_RhVTbR0O8OCFNla8"');
INSERT INTO public.atoll_state VALUES (2, 'basic-flood-users-processes', '13d1d894-0a2b', 'true');
INSERT INTO public.atoll_state VALUES (2, 'basic-flood-addresses-processes', '13d1d894-0a2b', 'true');
INSERT INTO public.atoll_state VALUES (0, 'control-tokens', 'ci', '{"name":"ci","right":"worlds","prefix":"ci-","secretHash":"d058732f02a28052bdf34721819ec1fdf38c244f41fa27babc36773226da4f14","created":1795963749608,"expires":null,"lastUsed":null}');
INSERT INTO public.atoll_state VALUES (0, 'control-tokens-revision', '', '1');


--
-- Data for Name: atoll_traffic; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.atoll_traffic VALUES (1, 3, 3, '\x1f8b0800000000000403ed5a5b8fdbb6127eefaf30f8d88ab1285357a00f6d7170f290b641b36d5054854091239b8d2caa22e5c60df6bf17a4645bbe6db24dd3abf7c9b6c8e1dc38f3cda77d837e515d2d5086d64c36c84325d3f06d57a30cad8c69b3f9bc569cd52ba54db648fd34451e620665244ec3345ac4342134f290e83b66a46abed42823217912fb31f5130fadc1ac9495fefceb1777c8432d332b94a179a304200ffddc43b745192a2ad5ad99f9f427adac0e2b60023a8db237c81e8c3274ae04574d03dc9e8932f40aa0c5ac961b2b94f566a53af9ab530865e873a6259f7dfff21bc35ed2087988abc64063b0d9b68032c4dab696dcad9e8f0a30cea1b5e77e3cffd84a745f71cd9a65cf96768ffd5503c71518bec26b6b4d86b8ea34f250afa1c36c098d15301a3a4a80862b219b25cad0f257d97a330155cd8cd57aa7540dcdd2f9888421baf750073ff7a0cde74a6cad3fcaad01e7e3d043065edb23dee4c85a92a3ec07fb91754b30851439ca722475cd1aa13a56a8f227e02647f73f7a3932d2d4bb0d1b56f7f6738e9e8158423753d5ccac60d6ca5a193d6ea824d4a2b076d617ce092227755c04eb12ba4255171692fb1fefad51da30d36b94053eb116b6f5f6e921e4ff7bddcace1a895ef48d3723e9ec2bb59991344e667e98f97ee6fbb3ff7f69b3e98b319093c080cd9f676a08e7d52476f937a713117757736177c8b37d6062ba1822d3d6dbd3b8c474310d4ce3e260e3b2733375aeeafbb307398a781946b4024c21f4311524c0252f231cf0b08445948832e1633c3667db4327d77a822b711e5b6876a17ff754b1893264d3985fb94be762f876783a1a93a32820495a02c70ba816989234c26542635c9218420e11a94438aad1c1466aa99ac2c83568c3d6ed982e3b3fe528f08308138283f48ed08ca6999f7ce2a29f232f4743c57079fb3d5e6391e7797ef73493997e7e7ac4c1d7d3cb410e06eccdb357d7491f17ee2da311a3b11fc658402030e510e02466804509340c49e0a765e236f69dbd20399a5b517372aa4aad96d64e7b07873b706275c56a0dbfef8afef556f20e98015b78a609fffe81e42bd62c3f80dcb6536b654eef8ae9fa2102da48fe6a7b62cd2140022ad6d7a6b872e5f6620e99deb146d7aecf14acaa809ffb6abfc956daa1a316364f4e75cc91e858b5abe6b6a98e6ab25a329da3ace9ebdacb51ebcac4f865a2688ef6f560ec3b859968a755dff1f333fb468cf97c6993ea8db810fe83c386f6603ba1d685816e6d157557617c521be81a66e4068a7d83b23765782c40f34eb6b6e31fef1352b735db162bd9d87e351509c25485d5eacacfc524650f27ed771552eb7e48bcc9d3d7163c588193aa9e23329306d6a37f068da580c6c84ada9a32d5aa96cd2b10858308c74fd60ff5ce0bf5caa28b8bf5caa7214b4b46b0002e300552e2320d7c0c22084360402bce8eeb9515b5af5783fed7dbfd05550c7bad1ab5debac85ed4298a20ae808438f6e318d3459ae2b48c7d1ca40bc2230a2c89cb639d7632e7365be64174e4dd21b727f9d3c190b7637f9a7abc93cbd5696ee87e4444d90f032851ed78e52c9473a5ecab01a5aa5243b77117d761d2ab0b87801b07d478072efcacb64866c07f202c04eed4460ae85066b1b6e485c5ab16364a8132e2a186ad1d2a156bd9589821f5738739dd45f250b97d210da06cfc3ac2c3efa41a2a8b769986a47e068d741074bfb0adb7a7cb98d8480e76cbfdfd476fde7b1408427a3c0a50fa24a5840681effec87420f8ecee8ba72713814364b799e0fa4c9044d74782249a02cfc74e046f6d386d5fd652af6c353c03f1fe8700f13bdcfd38643e3ae822323f72d09f87cc87e168d27d8f1bc7be133f226417eaafaddf3764fee190f91e9aeda1c951fb7f6076be01f3c74e6eff64607e54272d04bf81f31b387794dc9e4cb881f3a371e8d1e0bc6fed48f70ee0fc68e17f1d9c2f2cd73ae5e9a3277e1a263e1db0b94fe9dbd039b931f60f32f649fc003a8fdf079d5fc31cc640a7cf09fb138efd6f03cf13ff3a3c4ffcb7c073729d387fb782eaf69f13e7f18d38ff1710e76f85e757ae8a975be26564f3feaad7031316f268a8706f407c82897fe7a7c39baf47bd01b911e7e724f60d9f9f32d72f57cc4cdef8ce7ee99481d94aade1c911e1fa6fe5d90fd4fe55c27b718170d991d30f10de6c5106e942601a9118531297384d4580838588c3328cab98070f12de8b23ffff8184f7c9ff0904f1efb28f514a62c6380600fb52348c700924c13e173ef1091721150fda17efb9c429a57e84da1fe2de8f16fea3e1fd6f6c873ceb86230000');
INSERT INTO public.atoll_traffic VALUES (1, 9, 6, '\x1f8b0800000000000403ed5a5b8f9c381a7ddf5f51f2e32c6e307790f621b35aed3c24b3d124b3d128b490c11f559e50408ce9494dabfffbca3654515457577a33b929e9a7061b637fb773ce57dca23f5a513394a22de50db250417bf855d428451b29bbd4b6ebb6a4f5a6ed65ea254e92200b518952122541127a911ffbae6b2136082a79db3ceb514a487c1593d8f35dc7fc7916da82dcb4ea2dcf7f7d892cd451b94129b29b9681eddb5b609cda15afc12621b2d0db01c40ea528af5ab1a5f21fbff7addada062803d1a3f416a9fda0149deead6c9b064ab51594a237001da635bf01b5eb416e5ac1ffd4fb4429fa91f6bc5cfdf6ea17495ff9eaad65db48682496bb0e508a24bc9376571bab4c63ea85e3e215b056d0d4b65dc70db1e3da35b035882bf94eaab79525746a8b3fd83fec2f714d9bf540d76a7975b787125720cb0ddeb64cdd2c5bd1230b0d3d084cd7d0a805948d0e2b4053b68c376b94a2f59fbcb3560caa9a4a3563bf4768d6dabc6e82ee2c24e0ed00bdfcb1653b65b96227a147a99b58fa842845deaadff0bae6cdba5f55ad58c90dac6ada4810cd55d6a8257a49e5a01e72885aafab773f1d5cf1af771d176a49f46268ac1549563fb7372b9244f1ca0952c7491d67f5ef67caebff1c0d3cb30228bf3e3d18f5fe981b03c433c7e9eadde230ce9d85da0e4c08a2147583fcb965f04c8515b2505bf4206eb4df74f03c309533682497da52a5007d456b7538e350602a7a457bc3190894aa6ce165ae424bb98d3394120b3574ab9c49d9966bf3f1feb9f67945eb1e2c54ec5e7009281d2f47fffc97b7f5b4c5d7d716e2fd5368b80e81fdc4aede2da75176c34b40e9ebebbbbbbfdd7e783207ce2299e32bcff7e3241e733988ce26b3c962cfeedb41942a20a734febca9fb1565a2ff884cf4fffa4cd4c5e2bdb24b67d68bc9cf17f2eb78f2379f6151729c61ae7315fb6e40dc44ffc56e38cfb0ffbc98e3a5294eb682cf9cd69c2ab098b2ecb38225edba9a1b68b447b4fe12f22e0ecf23601cee11f036d38c2443e9ebdb0cddd07a800ca5d9c84fdc0cdd5d5b19d2063f9df376a0bb718602b6b265eae1e385a05133ee3e01964e18fbd290987bfc32cd78baa709243a07ac2e89e646e26c7132a20d330c2703194a2a178ac265d809c202fb2161382155896994146118b1ca85c9b0026e78cfdb263f59c6ac7fc1acd65fe43dc3721627946280d17373da500aa0129e53b97932a6e14345f074f6b75e0503b2e419c955e4395e14982a98c4178ba000c605948a6c7f2f81e74500099cf3359028baa7840e4ad16d8694f259c47f86263b8f356ebacc0dcd1ba72b44d225b3ad199e55c4fdece99f71fe20b89eceb5cca0756aa4e054114c2ae6f7d452cf219fa6905e16259adfdb65db547c6df74045b9b1a763dac0b8b4c94cf43ca220075170ae20075130771834b4a86159954dcdb23224ce14d47b0bb64bcbd0a52cc1402b1ffb9197e0845186c18d4ae214010da2c93d1bda2b6f1f63dc6b018c9612d8f51829ef134d07e49054ac411a08205686c6eb71914c6be20c1d06c63364c80fa91f39418419b80cfb25b8388e286056801f04c4759222d60f0ea236a8aee4b54d1e1bcf5666ea8c3af8b5c6bdc9d9f9f4cfc5e056dbe7b25649d60c756d65a8ed543ba13f2c3a89e313fb1a0e6165a31a3f9b1c56860cde2cc32243ba534108769397c44ffd2475e2bf6b81aeed639a2dda44bfe12d665996652f7f4a79da3fdfb397530cfce550862f43e06cf2378f803139d6017e7415060ef182516927e71150d2776dd36e77b604b1fd8e7f0f36c122ff3cfc45febc98deecabe5bc1665a803d1b79ac05b99eeed9ca4e62b6898b57ac2a8b52271e0609278babc7c0ac27f19a78ea2c5d6adce49033c029488139eedbfa9b1b925e5de929396f2c307944204c42d29c5cc0786fd3848300d131f4302a11351161614f6c5fa9c52185f70592a5cf2f20161f6d0331930bf694b5a0c3515bb33481403a534c1b11744d8f72382a90bbe3a52e514ccf34b4a9707f928a55a41ffa4a914d8697499dfacdb75be85bea76bcdf794ba7d40fd3c36ecad0c31e84bc135b64d2fff03f87a2317b9e3e8b0e8a880661a9a279f02493da3dcd0667d42743e10d1f43e2b3ad4323f133707263599530adaf4a6519bd3aa0245781667da3f3492624593a6dec188fa9d4e90f162f6ee0ced517eece6e7f3171e51ee29b53234346c0cabfb1e6a07c9e8e92e7553d9d8d6b4e58fdef4f979d97d47f928c9a28bf429af7969a0f532a719277eeb7c2674177cc6bbf288e384e1d8d67c80ce8cbf707d57f10fa878273e4f6388131fa1ef41c5cf6b6986785fd346fd6899b7c5ef50cab1684c8ae458ce3d596d792fe99b097a2b0e35cbd5ef944a45a9b9f3c5ddf04b51e5fa27e5e0ff13de2474cfb642d5d8dccacd09c709ce531ca822bf8a6982bd8404d877e200c71e75715514b48abdaa60e08cde38f093a9c0c77add194a1c3b6a8f1833bd3d77cd7d7ebf87e428bbe56689c3e85e64872e8993024aec41e5619f24212e623fc2058920282124150b96d446f22df4926ebb053e7e386a1fc8cdde09f3137fdaf6c1c848eb76adce79964a1df0f6fdf2ed0b4060dde35eb29b0ff7dec7e2729d68b7ad5c3630f76cac97bc7cb35bc4e2c12b0c3e22135465d37c9d902b9ebddc638698a0d5548fbf12da680041fdcad7f7b96a4498269695a171a4565f9050c96f20df87bc4a0f337c8f42180778dfd574976f7823174b029355aec8ec9469e689fded7c46100f6f3a0cf3be1f0c5d9f8dbe531ffd2cc2224364c5256cc792665e63185ec50f7acadcaf79f30658aebfd739ded816b60588bcad16b7cf82e8a1f29e8a4f65e27b6567184254010970e44411f6bd24c1491139d84d3c52863ed0382a8e1ba093a0d5fd23db0d8f8e69b4892e64e67c028cee18d1c1d4b8714849ba8593fa612417aa4daa48cb29b7561fe75cf82ec778729cf85573ebff01d56f8e3562270000');
INSERT INTO public.atoll_traffic VALUES (1, 10, 1, '\x1f8b08000000000004037552db4e1b3110fd95d579444eb34b4292b5d417daa87d0054155a5421841c7b9275ebd88b3d9b7641f9f7ca1b0a552f7e9bd1d19c9b1ff13d446720b155d64360a5127d8a0e120d732bc76317b4724d482c277559d710500c59cdeb937a36994f17b3c942c07451b10dfe3c41569357e5bc3a2ea7f5e1cda6025be2266496b7cbb3e5d51202ade20612631f0c8d4f2070df51ec2171b70e71abf8f5d714b29e8694a198201f914540e26f413a784f3af343e21b513b52ceee284bedb809d13e0ce22071aa92d5c597eb8facaea7b30cd09ada7cf5687cf43c8e9cf29b4e6d28ef2190488fd6c4ba196d83c94b1d62824097288ed4867c3e908dbc5c20af83b17e0389cd836d456168ed1413f60291ee3b4a7c1a4c9f6dad7aa60459ee05122bee12e47139cdb0d6f5ef5fec2f7fb43666242e3b2f8aaa2e2ec2aea8eaf9a2284f6459cab22cde9d5f41e04df04c9e7fb741fec0dcbafe1fbca1a5437f9030e488e9e2e026ac12c5dd90de50c17f81d69067cb83211d699894cb620f0993c99dc7b0b3862264fe6656dfe57a728ed64056025e6d73baca6ced20d7a60f43096be51209acfa4bcb04f9343ec5f8d906f74be0cdad804d67e4edd0c933b075fd9f3065765613e4cded7eff139d8378a605030000');
INSERT INTO public.atoll_traffic VALUES (1, 11, 1, '\x1f8b0800000000000403a556db8edb3610fd15611e53b11675b325a00f4d5a340f491034db064114081439b299954585a49c7582edb717a4e4cb7abd4083fac914c99933672e3cdfe1abd29d8012b64cf61042c30cfea53b286163ed502e169de2acdb2863cba4888a024260164aba2cb2224f966991acf210c4a89995aa7f6da08c7f2eb2224bb2c2ff56699287b045bb51cecbdb5f6f5ebc841006663750c2a25702173184f06544bd8712ea56e92db3bf7c36cac1d92013a80d94dfc16180121ee3e1aaef913bf750c22de240582777e8908e76a3b4fce6b14109cf99913cf8f0fe4fcbdea73984c0556fb1b7c4ee078412d8307492fbd38b1900e31c07e7f7d9e299b3e897a463fd7a646b77c77d35c8498b966fc85609f7912b6d2084d1a0266c8dbd33e0423d59c09e2b21fb3594b0fe26873010d876ccba1307501df66bcfd22a81fb10347e19d1d8e74aec1d1dcddea28172958460f1ce39f85e818ba382f2a3fbcbf41a6d2d45056505d274ac174ab35a359f91db0aee3f85155869bbc3851deb46f7bf829b0d065f46b60f980d7ab9def8d3f70e83b1cc8e2ec751e4000dddfee52941bfdf0d523b4cf06eecc38016c11bb50b68b15c05515646511945c11faf6f20841733ed6734a2cbf6e1fbcd93e9389c7875e08616593ab13374fb0b6edcde393bbd27c391738835f62c8ce3a38d0a5671b2ca698224a36d42d296b764b5a429899b24cfe394161cf9cce2eed1f5c2db75e171251e138cfd81ffff9e2f97ad29a573922b5f51f5b43aedcec15490c7745534c849822e005ae4a459a54bd2d025661c73da8a6c86a171278d547d6de5168d65db612ea2034f15c4519c134a495cdcd0b44c8b322a7ef229ad20ac606a5a5f3c1fc89688aaaaaa9b97a52ccddb4b1727aecf2b949e023886e7bac75b9f0f1e234b73962ea36c4904c682a41c63b25a3224a2c134cb681c15cdca5f1c75e7312d9ca905bd84d2a9b58bd335c254d817515b3de28fb64958c1f508e31f89b02d58dac62b2471212292c6454a18679c244b4e9b5864799ad22b11c673845c23b3e83affbcd8e7244694507a43a332711df94349e41bd6af9fb2fb3f8a63d06aabec659f1ce93756f2dbfd45342debcc941d812d1b3b5b3fd16e4733a72ad7ac379d1ff3356b5be48fb93a5e72037d7adb6a572397182b18c6a69366e358f1b5e25eb6192aeb24335301ba71ea1336f859e1cafd0c6e05c789300fffda9e61346ad4fcb1e7b13ff8bc76498d565c2982136dadc44ed4ee4133a6b6a8b70eaa6f8679a7b3a87b66e50eebe33be17a65da1668b896837b762f3253c16f9a7ded03d507768341c3f86da0da80058decba9f679a6623d20c1ddbd71bd9db0bf7286c5bbb081e59a7ab222151f6cf034bc7e3f559f19fd09eb6a531e354c267bb774e053c7614488bdb076ea4c0deca56bac9744e5627fb5b14b57feb673be7e32d49c30a3476f3b42efd8259a54d39b8e7f5ca6cb0ec4ef56abbf7a9393f711c83118f738c928608c13849b34210962d0549e3a848285d32e4e9c32171b0b970e95e24e983d0b6b86d50d7aabd82ffda78767ae63aae346345c32811c805499136a429e288a088b30c19a62d670f7179157818cf5365b8be73c3fb52cac48ec9cb87f010d7d35ce132cba3265f112c3246525ce6a4c89794c42c8952ca45b18aa287980e3627aee2875c4d5d7cd62c1aa7263d24f87ccb29a88be236e3acc2ca8f9fbcb052c33c65a084717065ff66928baa31a8777e567915fce4c1a932add7865ca3af53d63935366956144e766bb5930235944ee84b5e3b85ec84aa1450d2107ab6f53a586c65ef5495346fbdcaf553238466ff4e5a84725ece8af46fa9a6616a7c4b8034afb0975ef41e0f0eddfef218133bc9d15db9bfff17f475dc96870c0000');
INSERT INTO public.atoll_traffic VALUES (2, 2, 2, '\x1f8b0800000000000403d5564b8fdb3610bef75718734ca5589465cb12d043932e9ac3a6089a6d83a02a048a1cd94c68512129679dc5f6b717a4e497bc0b246dd0874f16399ce73733df1d7c545a72c8c16a412504505183bf680939acad6df3e9542a46e55a199bcfb228cba67fec25a9859ca4d93c5bccd2249ba5b30078a7a915aa7969204f9ecec822c948d6ffe245001bb46be58cbdfafee6f90b08a0a5760d394c1bc5714a20800f1dea1de450d64a6fa8fdee9d510d04b046ca511bc8efc07902398cbc8200986a1a64ce3ae4f01eb10da9145b84006867d74a8b4fde35c8e11935824ddebef9d9d237c9a27f6ab1b1a1ddb50839d0b6958279e9e9e000650c5b67f7c9f489d3e83f43499b554757ee8d3b35c8c21a2d5b871bc5dd2153da40009d411dd215364e810bf5a8011ba6b8685690c3ea93688309c75a52eb24986abc53129b95cfd23281fb00347ee8d0d8678aef5c3aaa9d4503f93209c0e2ad337057808ba380fc37f797ea15da52f002f2028491b4e14ad35255ef90d902ee7f0f0ab0c2cafd832d959dfb5fc0355a8bda4c543da1135f74277eef9c3096dace401e4791f3a895bb17c70a5dddb6423ba7e075d70413924d7e52db09c9d2e5249ae7519447d1e4c7973710c0f37d88c73ca22bf7fefce6d17aec25aef7c921cb19e9d3d3cadd2839eeee343d8dcf86cbce3e58e2d3d07517170544c99c6615252147c6c304491556591c85c8e3f91c292635a3431ab717cf33afd7c184297e99616cf605f8fc82b972f5351daa5c784895fdd7f17608a680454c9659852c9c613d0b13922dc26a99a46145529c335c909acf0737346e8511aa29add8a0b174d30e28dae7a980388a172121619cdd90244fb23ccabef5252d2028a0ef5a8f9eb7e126e4455114372f72919b576313c75c9f42941c033884e7dac76b1f040f91250b9aa4d13c0d39c63c4c18c6e132a518f20a93f99cc451562dfdc34e4befd330bba64ee3948c3d926ae5c2750dd1e37b14bcd51d7e71bb0405fc6722651aa94537094eb13fd4342221896ea2ac6fd02faa295bd366f598debf819556ab8db2e3b63994c158c1deef46d1d4549abe4a1c6bda495b3ed27d073547d06bda18e9c77e49eb1ad965ae0e8fdc80ef575de9b032f6b180b6aba4306b97158f19b7e90657a914d41490379d944101ad9f1ac3c789b3051cc6c3b00a4a7be2a1519d669776bb666ff1a147aab3fc01081c93560b94bc74ebcd98d2a2de38477d4b0c37d2a26ea8155b2c0f5bc3754c7fcdd1302d5ab784477529e0cd9ada895de3a415525933f9a895c5c95a6df0e990a3418730ada4bb722d1a3bb28edcd6a50be0dca9c3717982f0a353c76b614cd7e3f4e4f6d66dd90b6fc94458dc9c3926383656d4c24da3d39c48d1bc475efa057f7eb3c14d85ba54f5e85871740369bc9fe3d903d3cfd25bd5a8cdce57e3c131b8a0b32ace663c4c16240d1392566196f1388c673c9d57f3b44e59fce018dcab9eba424fe3d959b43d2c4f4aafb187dcb0694e33a0c56a3dae95e90686711966fa97c2a44942524a5988886edacf1761856419468c4724228ccf13fe3961a62e4ccf62543bf430e4d0b50e573ff5e44c5506f5d64f02cf391f15ec21613d13631a3d40a874d4a76788c81dc9d56a2b386ac81db916ac747cd4d142c12127013474e35927df88c65118615e794ee9bb32806af75a58847cf81cf8dfaf42f5a3ca782c8230d7d8084f310f82addc8dc528df0a86eec9fdfd37775f8ffc2fa373f23f7b9a2e63922c23ff8b67c909f9ffe1eafaeae66accfe937f8dfdffe3dcfe51161f9d51ebe4eb536b6ff992203bbba718e728f1b39ae14cf07fdd0c7f02b5bd0683090f0000');


--
-- Data for Name: atoll_worlds; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.atoll_worlds VALUES (0, '#installation', 1, 0, '{}', false, '{}', '{}', NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, 0, NULL);
INSERT INTO public.atoll_worlds VALUES (2, 'trial', 1, 2, '{4,2,1}', true, '{"node":5,"node_revision":9,"media":3,"media_revision":3,"file":4,"taxonomy_term":46,"taxonomy_term_revision":46,"user":6,"user_revision":0,"file_revision":0,"path_alias_revision":1,"path_alias":1,"redirect_revision":1,"redirect":1}', '{"user":7,"user/user":7,"taxonomy_term":46,"taxonomy_term/corporate_body":3,"taxonomy_term/family":1,"taxonomy_term/geo_location":3,"taxonomy_term/islandora_display":2,"taxonomy_term/islandora_media_use":7,"taxonomy_term/islandora_models":6,"taxonomy_term/person":6,"taxonomy_term/resource_types":11,"taxonomy_term/subject":7,"node":3,"node/islandora_object":3,"media":3,"media/image":1,"media/file":2,"file":4,"file/file":4,"path_alias":1,"path_alias/path_alias":1,"redirect":1,"redirect/redirect":1}', '{"kind":"snapshot","name":"before-trial","taken":1795963748867}', '{2,1}', '{"node":5,"node_revision":8,"media":3,"media_revision":3,"file":4,"taxonomy_term":46,"taxonomy_term_revision":46,"user":6,"user_revision":0,"file_revision":0,"path_alias_revision":1,"path_alias":1,"redirect_revision":1,"redirect":1}', '{"user":7,"user/user":7,"taxonomy_term":46,"taxonomy_term/corporate_body":3,"taxonomy_term/family":1,"taxonomy_term/geo_location":3,"taxonomy_term/islandora_display":2,"taxonomy_term/islandora_media_use":7,"taxonomy_term/islandora_models":6,"taxonomy_term/person":6,"taxonomy_term/resource_types":11,"taxonomy_term/subject":7,"node":4,"node/islandora_object":4,"media":3,"media/image":1,"media/file":2,"file":4,"file/file":4,"path_alias":1,"path_alias/path_alias":1,"redirect":1,"redirect/redirect":1}', NULL, 1795963749216, NULL, NULL, 0, NULL);
INSERT INTO public.atoll_worlds VALUES (1, 'main', 1, 12, '{3,2,1}', true, '{"node":5,"node_revision":9,"media":3,"media_revision":3,"file":4,"taxonomy_term":46,"taxonomy_term_revision":46,"user":6,"user_revision":0,"file_revision":0,"path_alias_revision":1,"path_alias":1,"redirect_revision":1,"redirect":1}', '{"user":7,"user/user":7,"taxonomy_term":46,"taxonomy_term/corporate_body":3,"taxonomy_term/family":1,"taxonomy_term/geo_location":3,"taxonomy_term/islandora_display":2,"taxonomy_term/islandora_media_use":7,"taxonomy_term/islandora_models":6,"taxonomy_term/person":6,"taxonomy_term/resource_types":11,"taxonomy_term/subject":7,"node":4,"node/islandora_object":4,"media":3,"media/image":1,"media/file":2,"file":4,"file/file":4,"path_alias":1,"path_alias/path_alias":1,"redirect":1,"redirect/redirect":1}', '{"kind":"fixture","name":"fixture","taken":null}', '{1}', '{"node":3,"node_revision":4,"media":2,"media_revision":2,"file":3,"taxonomy_term":45,"taxonomy_term_revision":45,"user":6,"user_revision":0,"file_revision":0}', '{"user":7,"user/user":7,"taxonomy_term":45,"taxonomy_term/corporate_body":3,"taxonomy_term/family":1,"taxonomy_term/geo_location":3,"taxonomy_term/islandora_display":2,"taxonomy_term/islandora_media_use":7,"taxonomy_term/islandora_models":6,"taxonomy_term/person":5,"taxonomy_term/resource_types":11,"taxonomy_term/subject":7,"node":3,"node/islandora_object":3,"media":2,"media/image":1,"media/file":1,"file":3,"file/file":3}', NULL, 1795963747840, NULL, NULL, 0, NULL);


--
-- Name: atoll_coverage_parts; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.atoll_coverage_parts', 5, true);


--
-- Name: atoll_layer_ids; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.atoll_layer_ids', 4, true);


--
-- Name: atoll_world_ids; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.atoll_world_ids', 2, true);


--
-- Name: atoll_changes atoll_changes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.atoll_changes
    ADD CONSTRAINT atoll_changes_pkey PRIMARY KEY (world, seq);


--
-- Name: atoll_coverage atoll_coverage_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.atoll_coverage
    ADD CONSTRAINT atoll_coverage_pkey PRIMARY KEY (world, part);


--
-- Name: atoll_fixtures atoll_fixtures_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.atoll_fixtures
    ADD CONSTRAINT atoll_fixtures_pkey PRIMARY KEY (name, digest);


--
-- Name: atoll_keys atoll_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.atoll_keys
    ADD CONSTRAINT atoll_keys_pkey PRIMARY KEY (layer, key, type, id);


--
-- Name: atoll_layers atoll_layers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.atoll_layers
    ADD CONSTRAINT atoll_layers_pkey PRIMARY KEY (id);


--
-- Name: atoll_listings atoll_listings_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.atoll_listings
    ADD CONSTRAINT atoll_listings_pkey PRIMARY KEY (layer, type, id);


--
-- Name: atoll_observed_worlds atoll_observed_worlds_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.atoll_observed_worlds
    ADD CONSTRAINT atoll_observed_worlds_pkey PRIMARY KEY (world);


--
-- Name: atoll_records atoll_records_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.atoll_records
    ADD CONSTRAINT atoll_records_pkey PRIMARY KEY (layer, type, id);


--
-- Name: atoll_schema atoll_schema_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.atoll_schema
    ADD CONSTRAINT atoll_schema_pkey PRIMARY KEY (one);


--
-- Name: atoll_snapshots atoll_snapshots_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.atoll_snapshots
    ADD CONSTRAINT atoll_snapshots_pkey PRIMARY KEY (world, name);


--
-- Name: atoll_state atoll_state_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.atoll_state
    ADD CONSTRAINT atoll_state_pkey PRIMARY KEY (world, topic, key);


--
-- Name: atoll_traffic atoll_traffic_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.atoll_traffic
    ADD CONSTRAINT atoll_traffic_pkey PRIMARY KEY (world, id);


--
-- Name: atoll_worlds atoll_worlds_name_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.atoll_worlds
    ADD CONSTRAINT atoll_worlds_name_key UNIQUE (name);


--
-- Name: atoll_worlds atoll_worlds_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.atoll_worlds
    ADD CONSTRAINT atoll_worlds_pkey PRIMARY KEY (id);


--
-- Name: atoll_changes_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX atoll_changes_at ON public.atoll_changes USING btree (at);


--
-- Name: atoll_listings_bundle; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX atoll_listings_bundle ON public.atoll_listings USING btree (layer, type, bundle, id);


--
-- Name: atoll_listings_changed; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX atoll_listings_changed ON public.atoll_listings USING btree (layer, type, changed, id) INCLUDE (bundle, published);


--
-- Name: atoll_listings_hidden; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX atoll_listings_hidden ON public.atoll_listings USING btree (layer, type, id) WHERE (NOT published);


--
-- Name: atoll_listings_title; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX atoll_listings_title ON public.atoll_listings USING btree (layer, type, title, id) INCLUDE (bundle, published);


--
-- Name: atoll_records_bundle; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX atoll_records_bundle ON public.atoll_records USING btree (layer, type, bundle, id);


--
-- Name: atoll_worlds_expires; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX atoll_worlds_expires ON public.atoll_worlds USING btree (expires) WHERE (expires IS NOT NULL);


--
-- PostgreSQL database dump complete
--


