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
    published boolean DEFAULT true NOT NULL,
    suspended boolean DEFAULT false NOT NULL,
    clock_offset_ms bigint DEFAULT 0 NOT NULL,
    limits text DEFAULT '{}'::text NOT NULL,
    hours text,
    cursor_secret text NOT NULL,
    chat_count integer DEFAULT 0 NOT NULL,
    expired_cursor_secret text
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
    storage_key text NOT NULL,
    part integer NOT NULL,
    bytes bytea NOT NULL,
    stored_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE public.files (
    id text NOT NULL,
    chat_id text NOT NULL,
    operation_id text NOT NULL,
    storage_key text,
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
CREATE TABLE public.handoffs (
    id text NOT NULL,
    chat_id text NOT NULL,
    operation_id text,
    confirmation_id text,
    email text,
    locale text NOT NULL,
    status text NOT NULL,
    requested_at timestamp(3) with time zone NOT NULL,
    teammate_name text,
    is_automatic boolean DEFAULT false NOT NULL
);
CREATE TABLE public.key_tombstones (
    channel_key text NOT NULL,
    key_hash text NOT NULL,
    reason text NOT NULL,
    until timestamp(3) with time zone NOT NULL
);
CREATE TABLE public.lab_faults (
    id integer NOT NULL,
    channel_key text NOT NULL,
    operation text NOT NULL,
    fault text NOT NULL,
    code text,
    after_deltas integer,
    milliseconds integer,
    remaining integer NOT NULL,
    at text DEFAULT 'request'::text NOT NULL,
    chat_id text
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
INSERT INTO drizzle.__drizzle_migrations VALUES (1, '6adbf210dc27aab390312b7b801678e7e427d35f3fd69320060c3c49e49f1003', 1795214196113);
INSERT INTO drizzle.__drizzle_migrations VALUES (2, 'a840d6062fbb4e60866ae3805dfe0d0a989c6eb7b78f42a34e7cf3f49b58a80b', 1795214485946);
INSERT INTO drizzle.__drizzle_migrations VALUES (3, '42dd54f2f7bcc54da993131003828febb99f2ac7b16e03d6fb9f896bc8d76b07', 1795214923759);
INSERT INTO drizzle.__drizzle_migrations VALUES (4, 'afe99d9372ac7e45cba567985d90190f2aa36404b96dbc3de65dcc935797c6c9', 1795215597327);
INSERT INTO public.channels VALUES ('dep_demo_shop', true, false, 0, '{}', '{"timeZone":"Europe/London","weekly":{"mon":[["09:00","17:30"]],"tue":[["09:00","17:30"]],"wed":[["09:00","12:30"],["13:30","17:30"]],"thu":[["09:00","17:30"]],"fri":[["09:00","17:30"]],"sat":[["10:00","16:00"]],"sun":[]},"closures":[{"date":"12-25","label":"Christmas Day"},{"date":"12-26","label":"Boxing Day"},{"date":"01-01","label":"New Year''s Day"},{"rule":"good-friday","label":"Good Friday"},{"date":"12-24","label":"Christmas Eve","from":"13:00"}]}', 'AjW1pIM77yaelJeCxs3_gTfqpzltOqFuNp4_EmTsZ1E', 1, NULL);
INSERT INTO public.chats VALUES ('chat_aJy5Np8ejrbMr9n6hC_S3A', 'dep_demo_shop', 'customer-1', 'en', 'waiting', NULL, '2026-11-29 08:23:08.477+00', '2026-11-29 08:23:08.601+00', NULL, true, 'waiting', '2026-11-29 08:23:08.601+00', true, '2026-11-30 09:00:00+00', 'Europe/London', NULL, 4, 3, 'offer_nP6T48y-J-dv6sx9tjhorg');
INSERT INTO public.collections VALUES ('chat_aJy5Np8ejrbMr9n6hC_S3A', '{"version":3,"fields":[{"id":"size","label":"Size","description":"","type":"text","choices":[]}],"values":[{"fieldId":"size","value":"54","status":"accepted","actor":"visitor","updatedAt":"2026-11-29T08:23:08.567Z"}],"request":null,"pendingAction":null,"error":null}');
INSERT INTO public.file_parts VALUES ('602b16da-655d-4f27-a7a6-16272fbbc6ca', 0, '\x4d79207265617220776865656c20776f62626c65732e', '2026-11-29 08:23:08.502+00');
INSERT INTO public.files VALUES ('file_iJtAYOnVDSlQf69vu0NCtA', 'chat_aJy5Np8ejrbMr9n6hC_S3A', 'op_AG-9z6bdBaYMq_QCOphrEQ', '602b16da-655d-4f27-a7a6-16272fbbc6ca', 'wheel.txt', 'text/plain', 22, '2026-11-29 08:23:08.514+00', NULL, true);
INSERT INTO public.handoff_offers VALUES ('offer_nP6T48y-J-dv6sx9tjhorg', 'chat_aJy5Np8ejrbMr9n6hC_S3A', 'msg_ABa9CPFXzp2N13X8PzJ6NQ', true, '2026-11-30 09:00:00+00', 'Europe/London', NULL, '2026-11-29 08:23:08.578+00');
INSERT INTO public.handoffs VALUES ('handoff_6tMl2srQk80iSTSdDYbfFg', 'chat_aJy5Np8ejrbMr9n6hC_S3A', 'op_8aeDe6wOiCkPNPCxyHMHiw', 'offer_nP6T48y-J-dv6sx9tjhorg', 'ana@example.com', 'en', 'waiting', '2026-11-29 08:23:08.601+00', NULL, false);
INSERT INTO public.lab_replies OVERRIDING SYSTEM VALUE VALUES (1, 'dep_demo_shop', 'chat_aJy5Np8ejrbMr9n6hC_S3A', '{"text":"Which size?","delayMs":0,"citations":[],"products":[],"orders":[],"choices":[],"collection":{"collectionId":"sizes","purpose":"To help.","fields":[{"field":{"id":"size","label":"Size","description":"","type":"text","choices":[]},"required":true}],"canSkip":true,"canCancel":true},"fails":false}', 'op_I2ak21vGcRPHHIXbBwFk_w');
INSERT INTO public.lab_replies OVERRIDING SYSTEM VALUE VALUES (2, 'dep_demo_shop', 'chat_aJy5Np8ejrbMr9n6hC_S3A', '{"text":"Shall I ask the team?","delayMs":0,"citations":[],"products":[],"orders":[],"choices":[],"handoffOffer":true,"fails":false}', 'op_T-Dln0GYT80eusI8pQLVsA');
INSERT INTO public.messages VALUES ('msg_fjV8VYLq1RGCAPMeYb-aUw', 'chat_aJy5Np8ejrbMr9n6hC_S3A', 1, 'visitor', 'Hello', '2026-11-29 08:23:08.543+00', NULL, '{"files":[{"id":"file_iJtAYOnVDSlQf69vu0NCtA","chatId":"chat_aJy5Np8ejrbMr9n6hC_S3A","filename":"wheel.txt","mediaType":"text/plain","byteSize":22,"createdAt":"2026-11-29T08:23:08.514Z","expiresAt":null}]}', NULL);
INSERT INTO public.messages VALUES ('msg_t_U9L26sqy4BjMvNYg2zmQ', 'chat_aJy5Np8ejrbMr9n6hC_S3A', 2, 'agent', 'Which size?', '2026-11-29 08:23:08.553+00', NULL, '{"collection":{"version":2,"fields":[{"id":"size","label":"Size","description":"","type":"text","choices":[]}],"values":[],"request":{"id":"form_bpak--95N7m_sMeColBYeQ","collectionId":"sizes","purpose":"To help.","fields":[{"fieldId":"size","required":true}],"canSkip":true,"canCancel":true,"complete":false},"missing":["size"],"pendingAction":null,"error":null}}', 'op_I2ak21vGcRPHHIXbBwFk_w');
INSERT INTO public.messages VALUES ('msg_ABa9CPFXzp2N13X8PzJ6NQ', 'chat_aJy5Np8ejrbMr9n6hC_S3A', 3, 'agent', 'Shall I ask the team?', '2026-11-29 08:23:08.578+00', NULL, '{"handoffOffer":{"confirmationId":"offer_nP6T48y-J-dv6sx9tjhorg","requiresEmail":true,"nextAvailableAt":"2026-11-30T09:00:00.000Z","timezone":"Europe/London"}}', 'op_T-Dln0GYT80eusI8pQLVsA');
INSERT INTO public.messages VALUES ('msg_56YASvHwKNpnqIAX72AcXw', 'chat_aJy5Np8ejrbMr9n6hC_S3A', 4, 'system', 'Your chat has been passed to our team.', '2026-11-29 08:23:08.601+00', NULL, '{}', NULL);
INSERT INTO public.operations VALUES ('op_L7zllmSw1uEwLQViTvdVZg', 'dep_demo_shop', 'fixture-key-1', 'createChat', 'chat_aJy5Np8ejrbMr9n6hC_S3A', 'ed77c962ec903853be3af935083eecf73549aced634d16a2ef2fa1540feeb0e8', 'succeeded', 1, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-29 08:23:08.477+00', '2026-11-29 08:23:08.477+00');
INSERT INTO public.operations VALUES ('op_AG-9z6bdBaYMq_QCOphrEQ', 'dep_demo_shop', 'fixture-key-2', 'uploadFile', 'chat_aJy5Np8ejrbMr9n6hC_S3A', 'a8f887c4bba3b479a88c673d4fa53f6d8e4ba4251fa2c3f6c38ce889820de12f', 'succeeded', 1, 1, NULL, NULL, NULL, NULL, NULL, '{"id":"file_iJtAYOnVDSlQf69vu0NCtA","chatId":"chat_aJy5Np8ejrbMr9n6hC_S3A","filename":"wheel.txt","mediaType":"text/plain","byteSize":22,"createdAt":"2026-11-29T08:23:08.514Z","expiresAt":"2026-11-30T08:23:08.514Z"}', NULL, '2026-11-29 08:23:08.514+00', '2026-11-29 08:23:08.514+00');
INSERT INTO public.operations VALUES ('op_I2ak21vGcRPHHIXbBwFk_w', 'dep_demo_shop', 'fixture-key-3', 'sendMessage', 'chat_aJy5Np8ejrbMr9n6hC_S3A', '5c509d0aaa066c532ae6ed7375bd2ac756064cd2222f85f6169af947ca2d6f79', 'succeeded', 1, 1, NULL, NULL, 'msg_fjV8VYLq1RGCAPMeYb-aUw', 'msg_t_U9L26sqy4BjMvNYg2zmQ', NULL, '{"message":{"id":"msg_fjV8VYLq1RGCAPMeYb-aUw","chatId":"chat_aJy5Np8ejrbMr9n6hC_S3A","role":"visitor","text":"Hello","createdAt":"2026-11-29T08:23:08.543Z","author":null,"files":[{"id":"file_iJtAYOnVDSlQf69vu0NCtA","chatId":"chat_aJy5Np8ejrbMr9n6hC_S3A","filename":"wheel.txt","mediaType":"text/plain","byteSize":22,"createdAt":"2026-11-29T08:23:08.514Z","expiresAt":null}],"citations":[],"products":[],"orders":[],"choices":[],"collection":null,"handoffOffer":null},"reply":{"id":"msg_t_U9L26sqy4BjMvNYg2zmQ","chatId":"chat_aJy5Np8ejrbMr9n6hC_S3A","role":"agent","text":"Which size?","createdAt":"2026-11-29T08:23:08.553Z","author":null,"files":[],"citations":[],"products":[],"orders":[],"choices":[],"collection":{"version":2,"fields":[{"id":"size","label":"Size","description":"","type":"text","choices":[]}],"values":[],"request":{"id":"form_bpak--95N7m_sMeColBYeQ","collectionId":"sizes","purpose":"To help.","fields":[{"fieldId":"size","required":true}],"canSkip":true,"canCancel":true,"complete":false},"missing":["size"],"pendingAction":null,"error":null},"handoffOffer":null},"chat":{"id":"chat_aJy5Np8ejrbMr9n6hC_S3A","channelKey":"dep_demo_shop","userId":"customer-1","mode":"agent","teammate":null,"createdAt":"2026-11-29T08:23:08.477Z","updatedAt":"2026-11-29T08:23:08.553Z","resolvedAt":null,"historyComplete":true,"handoff":null}}', NULL, '2026-11-29 08:23:08.543+00', '2026-11-29 08:23:08.553+00');
INSERT INTO public.operations VALUES ('op_cHV1l21wJ9uVhaK3nuzViw', 'dep_demo_shop', 'fixture-key-4', 'submitCollection', 'chat_aJy5Np8ejrbMr9n6hC_S3A', '134bcfb285c8fa71df75428850ce15296b356f1ff67b291276da2cbfb062d0f9', 'succeeded', 1, 1, NULL, NULL, NULL, NULL, NULL, '{"version":3,"fields":[{"id":"size","label":"Size","description":"","type":"text","choices":[]}],"values":[{"fieldId":"size","value":"54","status":"accepted","actor":"visitor","updatedAt":"2026-11-29T08:23:08.567Z"}],"request":null,"missing":[],"pendingAction":null,"error":null}', NULL, '2026-11-29 08:23:08.567+00', '2026-11-29 08:23:08.567+00');
INSERT INTO public.operations VALUES ('op_T-Dln0GYT80eusI8pQLVsA', 'dep_demo_shop', 'after/op_cHV1l21wJ9uVhaK3nuzViw', 'followUp', 'chat_aJy5Np8ejrbMr9n6hC_S3A', '', 'succeeded', 1, 1, NULL, NULL, NULL, 'msg_ABa9CPFXzp2N13X8PzJ6NQ', '{"collectionId":"sizes","action":"save"}', 'null', NULL, '2026-11-29 08:23:08.567+00', '2026-11-29 08:23:08.578+00');
INSERT INTO public.operations VALUES ('op_8aeDe6wOiCkPNPCxyHMHiw', 'dep_demo_shop', 'fixture-key-5', 'handoff', 'chat_aJy5Np8ejrbMr9n6hC_S3A', 'b0696cc4265eb29dce2bdd96cdd1ab9234d9e73e5dbe665cba901d48cdc4969e', 'succeeded', 1, 1, NULL, NULL, NULL, NULL, NULL, '{"id":"chat_aJy5Np8ejrbMr9n6hC_S3A","channelKey":"dep_demo_shop","userId":"customer-1","mode":"waiting","teammate":null,"createdAt":"2026-11-29T08:23:08.477Z","updatedAt":"2026-11-29T08:23:08.601Z","resolvedAt":null,"historyComplete":true,"handoff":{"status":"waiting","requestedAt":"2026-11-29T08:23:08.601Z","requiresEmail":true,"nextAvailableAt":"2026-11-30T09:00:00.000Z","timezone":"Europe/London"}}', NULL, '2026-11-29 08:23:08.601+00', '2026-11-29 08:23:08.601+00');
INSERT INTO public.outbox VALUES ('op_8aeDe6wOiCkPNPCxyHMHiw', 'chat_aJy5Np8ejrbMr9n6hC_S3A', 'handoff_requested', '{"chatId":"chat_aJy5Np8ejrbMr9n6hC_S3A","userId":"customer-1","email":"ana@example.com","locale":"en","requestedAt":"2026-11-29T08:23:08.601Z"}', '2026-11-29 08:23:08.601+00', NULL, 0);
INSERT INTO public.rate_buckets VALUES ('dep_demo_shop', '2026-11-29 08:23:08.47+00', 120);
SELECT pg_catalog.setval('drizzle.__drizzle_migrations_id_seq', 4, true);
SELECT pg_catalog.setval('public.lab_faults_id_seq', 1, false);
SELECT pg_catalog.setval('public.lab_replies_id_seq', 2, true);
ALTER TABLE ONLY drizzle.__drizzle_migrations
    ADD CONSTRAINT __drizzle_migrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.channels
    ADD CONSTRAINT channels_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.chats
    ADD CONSTRAINT chats_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.collections
    ADD CONSTRAINT collections_pkey PRIMARY KEY (chat_id);
ALTER TABLE ONLY public.file_parts
    ADD CONSTRAINT file_parts_storage_key_part_pk PRIMARY KEY (storage_key, part);
ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.handoff_offers
    ADD CONSTRAINT handoff_offers_pkey PRIMARY KEY (confirmation_id);
ALTER TABLE ONLY public.handoffs
    ADD CONSTRAINT handoffs_pkey PRIMARY KEY (id);
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
CREATE INDEX handoffs_of_chat ON public.handoffs USING btree (chat_id);
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
ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_chat_id_chats_id_fk FOREIGN KEY (chat_id) REFERENCES public.chats(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.handoff_offers
    ADD CONSTRAINT handoff_offers_chat_id_chats_id_fk FOREIGN KEY (chat_id) REFERENCES public.chats(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.handoffs
    ADD CONSTRAINT handoffs_chat_id_chats_id_fk FOREIGN KEY (chat_id) REFERENCES public.chats(id) ON DELETE CASCADE;
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
