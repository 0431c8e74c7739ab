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
CREATE SCHEMA drizzle;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE drizzle.__drizzle_migrations (
    id integer NOT NULL,
    hash text NOT NULL,
    created_at bigint
);
CREATE SEQUENCE drizzle.__drizzle_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE drizzle.__drizzle_migrations_id_seq OWNED BY drizzle.__drizzle_migrations.id;
CREATE TABLE public.channels (
    key text NOT NULL,
    chat_key text,
    team_key text,
    published boolean DEFAULT true NOT NULL,
    suspended boolean DEFAULT false NOT NULL,
    clock_offset_ms bigint DEFAULT 0 NOT NULL,
    limits text DEFAULT '{}'::text NOT NULL,
    hours text,
    cursor_secret text NOT NULL,
    expired_cursor_secret text,
    chat_count integer DEFAULT 0 NOT NULL
);
CREATE TABLE public.chats (
    id text NOT NULL,
    channel_key text NOT NULL,
    user_id text NOT NULL,
    locale text NOT NULL,
    mode text NOT NULL,
    teammate_name text,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    resolved_at timestamp(3) with time zone,
    history_complete boolean DEFAULT true NOT NULL,
    handoff_status text,
    handoff_requested_at timestamp(3) with time zone,
    handoff_requires_email boolean,
    handoff_next_available_at timestamp(3) with time zone,
    handoff_timezone text,
    handoff_email text,
    active_operation_id text,
    last_sequence integer DEFAULT 0 NOT NULL,
    operation_count integer DEFAULT 0 NOT NULL,
    latest_offer_id text
);
CREATE TABLE public.collections (
    chat_id text NOT NULL,
    state text NOT NULL
);
CREATE TABLE public.file_parts (
    part integer NOT NULL,
    bytes bytea NOT NULL,
    file_id text NOT NULL
);
CREATE TABLE public.files (
    id text NOT NULL,
    chat_id text NOT NULL,
    filename text NOT NULL,
    media_type text NOT NULL,
    byte_size integer NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone,
    is_ready boolean DEFAULT true NOT NULL
);
CREATE TABLE public.handoff_offers (
    confirmation_id text NOT NULL,
    chat_id text NOT NULL,
    message_id text NOT NULL,
    requires_email boolean NOT NULL,
    next_available_at timestamp(3) with time zone,
    timezone text,
    details text,
    created_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE public.key_tombstones (
    channel_key text NOT NULL,
    key_hash text NOT NULL,
    until timestamp(3) with time zone NOT NULL
);
CREATE TABLE public.lab_faults (
    id integer NOT NULL,
    channel_key text NOT NULL,
    operation text NOT NULL,
    fault text NOT NULL,
    at text DEFAULT 'request'::text NOT NULL,
    chat_id text,
    code text,
    after_deltas integer,
    milliseconds integer,
    remaining integer NOT NULL
);
ALTER TABLE public.lab_faults ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.lab_faults_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lab_replies (
    id integer NOT NULL,
    channel_key text NOT NULL,
    chat_id text,
    reply text NOT NULL,
    taken_by text
);
ALTER TABLE public.lab_replies ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.lab_replies_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.messages (
    id text NOT NULL,
    chat_id text NOT NULL,
    sequence integer NOT NULL,
    role text NOT NULL,
    text text NOT NULL,
    created_at timestamp(3) with time zone,
    author_name text,
    attachments text DEFAULT '{}'::text NOT NULL,
    reply_of_operation_id text
);
CREATE TABLE public.operations (
    id text NOT NULL,
    channel_key text NOT NULL,
    key text NOT NULL,
    kind text NOT NULL,
    chat_id text NOT NULL,
    fingerprint text NOT NULL,
    state text NOT NULL,
    fence integer DEFAULT 1 NOT NULL,
    attempts integer DEFAULT 1 NOT NULL,
    owner integer,
    lease_until timestamp(3) with time zone,
    message_id text,
    reply_id text,
    trigger text,
    result text,
    error_code text,
    created_at timestamp(3) with time zone NOT NULL,
    finished_at timestamp(3) with time zone
);
CREATE TABLE public.outbox (
    id text NOT NULL,
    chat_id text NOT NULL,
    kind text NOT NULL,
    payload text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    delivered_at timestamp(3) with time zone,
    attempts integer DEFAULT 0 NOT NULL
);
CREATE TABLE public.rate_buckets (
    channel_key text NOT NULL,
    window_start timestamp(3) with time zone NOT NULL,
    requests integer NOT NULL
);
CREATE TABLE public.turn_deltas (
    operation_id text NOT NULL,
    fence integer NOT NULL,
    sequence integer NOT NULL,
    text text NOT NULL
);
ALTER TABLE ONLY drizzle.__drizzle_migrations ALTER COLUMN id SET DEFAULT nextval('drizzle.__drizzle_migrations_id_seq'::regclass);
INSERT INTO drizzle.__drizzle_migrations VALUES (1, 'f5ffa1ee7b0ba1d97614f1e7f665be1b8111095d47a1b723b57a9c6b52b84fbd', 1795547127909);
INSERT INTO drizzle.__drizzle_migrations VALUES (2, '67a0f34c5bde2f75975c6fe4162d5878b950252938d02c5a3fdf67e9844fea22', 1795906943370);
INSERT INTO drizzle.__drizzle_migrations VALUES (3, '095f540e3cc61cd69cb06db7455d2a3a951d08b19058bcb0826c265ee9396889', 1795908980676);
INSERT INTO public.channels VALUES ('dep_demo_shop', NULL, NULL, true, false, 0, '{}', NULL, 'wS1LKmy_S8dVBntDqkiYeij4ZeE285Gi0u9p_POSCOs', NULL, 1);
INSERT INTO public.chats VALUES ('chat_8zcoGHaiQHZLGm415dGFZg', 'dep_demo_shop', 'customer-1', 'en', 'waiting', NULL, '2026-11-29 08:23:17.285+00', '2026-11-29 08:23:17.386+00', NULL, true, 'waiting', '2026-11-29 08:23:17.386+00', false, NULL, NULL, 'ana@example.com', NULL, 4, 3, 'offer_Q5GH1GVO133Gtq5RmKGh8w');
INSERT INTO public.collections VALUES ('chat_8zcoGHaiQHZLGm415dGFZg', '{"version":3,"fields":[{"id":"size","label":"Size","description":"","type":"text","choices":[]}],"values":[{"fieldId":"size","value":"54","status":"accepted","actor":"visitor","updatedAt":"2026-11-29T08:23:17.363Z"}],"request":null,"pendingAction":null,"error":null}');
INSERT INTO public.file_parts VALUES (0, '\x4d79207265617220776865656c20776f62626c65732e', 'file_rRSXp2T1HPovTOxWid25yQ');
INSERT INTO public.files VALUES ('file_rRSXp2T1HPovTOxWid25yQ', 'chat_8zcoGHaiQHZLGm415dGFZg', 'wheel.txt', 'text/plain', 22, '2026-11-29 08:23:17.316+00', NULL, true);
INSERT INTO public.handoff_offers VALUES ('offer_Q5GH1GVO133Gtq5RmKGh8w', 'chat_8zcoGHaiQHZLGm415dGFZg', 'msg_gklRRCNvXLvi5kHYzTvP2A', false, NULL, NULL, NULL, '2026-11-29 08:23:17.372+00');
INSERT INTO public.lab_replies OVERRIDING SYSTEM VALUE VALUES (1, 'dep_demo_shop', 'chat_8zcoGHaiQHZLGm415dGFZg', '{"text":"Which size?","delayMs":0,"citations":[],"products":[],"orders":[],"choices":[],"collection":{"collectionId":"sizes","purpose":"To help.","fields":[{"field":{"id":"size","label":"Size","description":"","type":"text","choices":[]},"required":true}],"canSkip":true,"canCancel":true},"fails":false}', 'op_5AcK1gVGUu8u9vcKFP05RA');
INSERT INTO public.lab_replies OVERRIDING SYSTEM VALUE VALUES (2, 'dep_demo_shop', 'chat_8zcoGHaiQHZLGm415dGFZg', '{"text":"Shall I ask the team?","delayMs":0,"citations":[],"products":[],"orders":[],"choices":[],"handoffOffer":true,"fails":false}', 'op_aEbzlV2oyS7M1oEkHzdGiA');
INSERT INTO public.messages VALUES ('msg_m1qAArxCvGmVltXTkN0rAA', 'chat_8zcoGHaiQHZLGm415dGFZg', 1, 'visitor', 'Hello', '2026-11-29 08:23:17.337+00', NULL, '{"files":[{"id":"file_rRSXp2T1HPovTOxWid25yQ","chatId":"chat_8zcoGHaiQHZLGm415dGFZg","filename":"wheel.txt","mediaType":"text/plain","byteSize":22,"createdAt":"2026-11-29T08:23:17.316Z","expiresAt":null}]}', NULL);
INSERT INTO public.messages VALUES ('msg_uFUkhclsEG7ltivTiFVm9w', 'chat_8zcoGHaiQHZLGm415dGFZg', 2, 'agent', 'Which size?', '2026-11-29 08:23:17.346+00', NULL, '{"collection":{"version":2,"fields":[{"id":"size","label":"Size","description":"","type":"text","choices":[]}],"values":[],"request":{"id":"form_pVSyQzHZujEOcNnN3M_yTg","collectionId":"sizes","purpose":"To help.","fields":[{"fieldId":"size","required":true}],"canSkip":true,"canCancel":true,"complete":false},"missing":["size"],"pendingAction":null,"error":null}}', 'op_5AcK1gVGUu8u9vcKFP05RA');
INSERT INTO public.messages VALUES ('msg_gklRRCNvXLvi5kHYzTvP2A', 'chat_8zcoGHaiQHZLGm415dGFZg', 3, 'agent', 'Shall I ask the team?', '2026-11-29 08:23:17.372+00', NULL, '{"handoffOffer":{"confirmationId":"offer_Q5GH1GVO133Gtq5RmKGh8w","requiresEmail":false,"nextAvailableAt":null,"timezone":null}}', 'op_aEbzlV2oyS7M1oEkHzdGiA');
INSERT INTO public.messages VALUES ('msg_xICxHZk_AVXyx6eR-ZyTNQ', 'chat_8zcoGHaiQHZLGm415dGFZg', 4, 'system', 'Your chat has been passed to our team.', '2026-11-29 08:23:17.386+00', NULL, '{}', NULL);
INSERT INTO public.operations VALUES ('op_B8VdZo8FDOKs26fVTCkwgw', 'dep_demo_shop', 'fixture-key-1', 'createChat', 'chat_8zcoGHaiQHZLGm415dGFZg', 'ed77c962ec903853be3af935083eecf73549aced634d16a2ef2fa1540feeb0e8', 'succeeded', 1, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-29 08:23:17.285+00', '2026-11-29 08:23:17.285+00');
INSERT INTO public.operations VALUES ('op_4QKnfQcEcoTjYqM4KGNc6g', 'dep_demo_shop', 'fixture-key-2', 'uploadFile', 'chat_8zcoGHaiQHZLGm415dGFZg', 'a37eddc01dcacd327bced1f36dbcbc9784d9f794a066f02c2b13f88fffd1406a', 'succeeded', 1, 1, NULL, NULL, NULL, NULL, NULL, '{"id":"file_rRSXp2T1HPovTOxWid25yQ","chatId":"chat_8zcoGHaiQHZLGm415dGFZg","filename":"wheel.txt","mediaType":"text/plain","byteSize":22,"createdAt":"2026-11-29T08:23:17.316Z","expiresAt":"2026-11-30T08:23:17.316Z"}', NULL, '2026-11-29 08:23:17.316+00', '2026-11-29 08:23:17.316+00');
INSERT INTO public.operations VALUES ('op_5AcK1gVGUu8u9vcKFP05RA', 'dep_demo_shop', 'fixture-key-3', 'sendMessage', 'chat_8zcoGHaiQHZLGm415dGFZg', '24c0cb03ff8592ba32237656796c23435a52b6bae3cdb6997c12a87f55831ba4', 'succeeded', 1, 1, NULL, NULL, 'msg_m1qAArxCvGmVltXTkN0rAA', 'msg_uFUkhclsEG7ltivTiFVm9w', NULL, '{"message":{"id":"msg_m1qAArxCvGmVltXTkN0rAA","chatId":"chat_8zcoGHaiQHZLGm415dGFZg","role":"visitor","text":"Hello","createdAt":"2026-11-29T08:23:17.337Z","author":null,"files":[{"id":"file_rRSXp2T1HPovTOxWid25yQ","chatId":"chat_8zcoGHaiQHZLGm415dGFZg","filename":"wheel.txt","mediaType":"text/plain","byteSize":22,"createdAt":"2026-11-29T08:23:17.316Z","expiresAt":null}],"citations":[],"products":[],"orders":[],"choices":[],"collection":null,"handoffOffer":null},"reply":{"id":"msg_uFUkhclsEG7ltivTiFVm9w","chatId":"chat_8zcoGHaiQHZLGm415dGFZg","role":"agent","text":"Which size?","createdAt":"2026-11-29T08:23:17.346Z","author":null,"files":[],"citations":[],"products":[],"orders":[],"choices":[],"collection":{"version":2,"fields":[{"id":"size","label":"Size","description":"","type":"text","choices":[]}],"values":[],"request":{"id":"form_pVSyQzHZujEOcNnN3M_yTg","collectionId":"sizes","purpose":"To help.","fields":[{"fieldId":"size","required":true}],"canSkip":true,"canCancel":true,"complete":false},"missing":["size"],"pendingAction":null,"error":null},"handoffOffer":null},"chat":{"id":"chat_8zcoGHaiQHZLGm415dGFZg","channelKey":"dep_demo_shop","userId":"customer-1","mode":"agent","teammate":null,"createdAt":"2026-11-29T08:23:17.285Z","updatedAt":"2026-11-29T08:23:17.346Z","resolvedAt":null,"historyComplete":true,"handoff":null}}', NULL, '2026-11-29 08:23:17.337+00', '2026-11-29 08:23:17.346+00');
INSERT INTO public.operations VALUES ('op_hoAor3hAdrKISvfJts0Ypg', 'dep_demo_shop', 'fixture-key-4', 'submitCollection', 'chat_8zcoGHaiQHZLGm415dGFZg', 'fbb129709a859ceefa889361d23fba34f8f8897a8389f25b6faffb437f900e4f', 'succeeded', 1, 1, NULL, NULL, NULL, NULL, NULL, '{"version":3,"fields":[{"id":"size","label":"Size","description":"","type":"text","choices":[]}],"values":[{"fieldId":"size","value":"54","status":"accepted","actor":"visitor","updatedAt":"2026-11-29T08:23:17.363Z"}],"request":null,"missing":[],"pendingAction":null,"error":null}', NULL, '2026-11-29 08:23:17.363+00', '2026-11-29 08:23:17.363+00');
INSERT INTO public.operations VALUES ('op_aEbzlV2oyS7M1oEkHzdGiA', 'dep_demo_shop', 'after/op_hoAor3hAdrKISvfJts0Ypg', 'followUp', 'chat_8zcoGHaiQHZLGm415dGFZg', '', 'succeeded', 1, 1, NULL, NULL, NULL, 'msg_gklRRCNvXLvi5kHYzTvP2A', '{"collectionId":"sizes","action":"save"}', 'null', NULL, '2026-11-29 08:23:17.363+00', '2026-11-29 08:23:17.372+00');
INSERT INTO public.operations VALUES ('op_FVzfb4cX6YH5NYgu7qH_jQ', 'dep_demo_shop', 'fixture-key-5', 'handoff', 'chat_8zcoGHaiQHZLGm415dGFZg', '228371750d5517903b7dbc47afc698d75bb3841bbb156cdf7793fdf2ec81a3e9', 'succeeded', 1, 1, NULL, NULL, NULL, NULL, NULL, '{"id":"chat_8zcoGHaiQHZLGm415dGFZg","channelKey":"dep_demo_shop","userId":"customer-1","mode":"waiting","teammate":null,"createdAt":"2026-11-29T08:23:17.285Z","updatedAt":"2026-11-29T08:23:17.386Z","resolvedAt":null,"historyComplete":true,"handoff":{"status":"waiting","requestedAt":"2026-11-29T08:23:17.386Z","requiresEmail":false,"nextAvailableAt":null,"timezone":null}}', NULL, '2026-11-29 08:23:17.386+00', '2026-11-29 08:23:17.386+00');
INSERT INTO public.outbox VALUES ('op_FVzfb4cX6YH5NYgu7qH_jQ', 'chat_8zcoGHaiQHZLGm415dGFZg', 'handoff_requested', '{"chatId":"chat_8zcoGHaiQHZLGm415dGFZg","userId":"customer-1","email":"ana@example.com","locale":"en","requestedAt":"2026-11-29T08:23:17.386Z"}', '2026-11-29 08:23:17.386+00', NULL, 0);
INSERT INTO public.rate_buckets VALUES ('dep_demo_shop', '2026-11-29 08:23:17.278+00', 120);
SELECT pg_catalog.setval('drizzle.__drizzle_migrations_id_seq', 3, true);
SELECT pg_catalog.setval('public.lab_faults_id_seq', 1, false);
SELECT pg_catalog.setval('public.lab_replies_id_seq', 2, true);
ALTER TABLE ONLY drizzle.__drizzle_migrations
    ADD CONSTRAINT __drizzle_migrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.channels
    ADD CONSTRAINT channels_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.channels
    ADD CONSTRAINT channels_team_key UNIQUE (team_key);
ALTER TABLE ONLY public.chats
    ADD CONSTRAINT chats_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.collections
    ADD CONSTRAINT collections_pkey PRIMARY KEY (chat_id);
ALTER TABLE ONLY public.file_parts
    ADD CONSTRAINT file_parts_file_id_part_pk PRIMARY KEY (file_id, part);
ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.handoff_offers
    ADD CONSTRAINT handoff_offers_pkey PRIMARY KEY (confirmation_id);
ALTER TABLE ONLY public.key_tombstones
    ADD CONSTRAINT key_tombstones_channel_key_key_hash_pk PRIMARY KEY (channel_key, key_hash);
ALTER TABLE ONLY public.lab_faults
    ADD CONSTRAINT lab_faults_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lab_replies
    ADD CONSTRAINT lab_replies_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_one_reply_per_turn UNIQUE (reply_of_operation_id);
ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.operations
    ADD CONSTRAINT operations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.rate_buckets
    ADD CONSTRAINT rate_buckets_pkey PRIMARY KEY (channel_key);
ALTER TABLE ONLY public.turn_deltas
    ADD CONSTRAINT turn_deltas_operation_id_fence_sequence_pk PRIMARY KEY (operation_id, fence, sequence);
CREATE INDEX chats_by_channel ON public.chats USING btree (channel_key, created_at, id);
CREATE INDEX chats_by_mode ON public.chats USING btree (channel_key, mode, updated_at);
CREATE INDEX files_of_chat ON public.files USING btree (chat_id);
CREATE INDEX files_unsent ON public.files USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX handoff_offers_of_chat ON public.handoff_offers USING btree (chat_id);
CREATE INDEX key_tombstones_until ON public.key_tombstones USING btree (channel_key, until);
CREATE UNIQUE INDEX lab_replies_taken ON public.lab_replies USING btree (taken_by);
CREATE INDEX messages_by_age ON public.messages USING btree (created_at);
CREATE UNIQUE INDEX messages_in_order ON public.messages USING btree (chat_id, sequence);
CREATE UNIQUE INDEX operations_by_key ON public.operations USING btree (channel_key, key);
CREATE INDEX operations_creating ON public.operations USING btree (channel_key, created_at) WHERE (kind = 'createChat'::text);
CREATE INDEX operations_of_chat ON public.operations USING btree (chat_id);
CREATE INDEX operations_running ON public.operations USING btree (channel_key, created_at) WHERE (state = 'running'::text);
CREATE INDEX outbox_pending ON public.outbox USING btree (created_at) WHERE (delivered_at IS NULL);
ALTER TABLE ONLY public.chats
    ADD CONSTRAINT chats_channel_key_channels_key_fk FOREIGN KEY (channel_key) REFERENCES public.channels(key);
ALTER TABLE ONLY public.collections
    ADD CONSTRAINT collections_chat_id_chats_id_fk FOREIGN KEY (chat_id) REFERENCES public.chats(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.file_parts
    ADD CONSTRAINT file_parts_file_id_files_id_fk FOREIGN KEY (file_id) REFERENCES public.files(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_chat_id_chats_id_fk FOREIGN KEY (chat_id) REFERENCES public.chats(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.handoff_offers
    ADD CONSTRAINT handoff_offers_chat_id_chats_id_fk FOREIGN KEY (chat_id) REFERENCES public.chats(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.lab_replies
    ADD CONSTRAINT lab_replies_chat_id_chats_id_fk FOREIGN KEY (chat_id) REFERENCES public.chats(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_chat_id_chats_id_fk FOREIGN KEY (chat_id) REFERENCES public.chats(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.operations
    ADD CONSTRAINT operations_chat_id_chats_id_fk FOREIGN KEY (chat_id) REFERENCES public.chats(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_chat_id_chats_id_fk FOREIGN KEY (chat_id) REFERENCES public.chats(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.turn_deltas
    ADD CONSTRAINT turn_deltas_operation_id_operations_id_fk FOREIGN KEY (operation_id) REFERENCES public.operations(id) ON DELETE CASCADE;
