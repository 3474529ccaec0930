// Generated from the routes of the service by `npm run generate`. Do not edit.
export type Length = `${number}in` | `${number}mm` | `${number}px`;
export interface paths {
    "/v1/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listApiKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readBilling"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listHooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description What is known of an API key. */
        ApiKey: {
            /** @description Id of the key, which is not the key. */
            id: string;
            /** @description Its name. */
            name: string;
            /** @description What it is for, or null. */
            description: string | null;
            /**
             * @description Documents of test keys carry a watermark.
             * @enum {string}
             */
            type: "live" | "test";
            /** @description What the key may do. */
            scopes: readonly ("templates:read" | "templates:write" | "documents:generate" | "api-keys:read" | "api-keys:write" | "usage:read" | "webhooks:read" | "webhooks:write")[];
            /** @description The last four characters of the key. */
            last_four: string;
            /** Format: date-time */
            created_at: string;
            /** @description When it was last used, to the minute; null when it never was. */
            last_used_at: string | null;
        };
        /** @description A page of the list, newest first. */
        ApiKeyList: {
            data: readonly components["schemas"]["ApiKey"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description A batch and how far it is. */
        Batch: {
            /** @description Id of the batch. */
            id: string;
            /**
             * @description failed: every item failed. completed: every item has ended, some may have failed.
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "failed";
            /** @description The template of every item. */
            template_id: string;
            /**
             * @description Format of every document.
             * @enum {string}
             */
            format: "pdf" | "png" | "html" | "docx";
            /** @description Items of the batch. */
            total: number;
            /** @description Items whose file is there. */
            completed: number;
            /** @description Items that failed. */
            failed: number;
            /**
             * Format: date-time
             * @description When the request was accepted.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the files stop being available: 24 hours later.
             */
            expires_at: string;
            /** @description Path of this status. */
            status_url: string;
            /** @description Why it failed; once failed. */
            error?: {
                code: string;
                message: string;
            };
        };
        /** @description A batch has finished. Some of its items may have failed. */
        BatchCompletedEvent: {
            /** @description Identifier of the event. Deliveries may repeat: use it to deduplicate. */
            id: string;
            /** @constant */
            type: "batch.completed";
            /** Format: date-time */
            created_at: string;
            /** @constant */
            api_version: "2026-11-01";
            data: components["schemas"]["BatchEventData"];
        };
        BatchEventData: {
            /** @description Id of the batch. */
            id: string;
            /**
             * @description How far it is.
             * @enum {string}
             */
            status: "processing" | "completed" | "failed";
            /** @description The template its items are made of. */
            template_id: string;
            /** @description How many items there are. */
            total: number;
            /** @description Items whose file is there. */
            completed: number;
            /** @description Items that failed. */
            failed: number;
            /** @description Path of its status, below the base URL. */
            status_url: string;
        };
        /** @description A batch has finished. Every item failed. */
        BatchFailedEvent: {
            /** @description Identifier of the event. Deliveries may repeat: use it to deduplicate. */
            id: string;
            /** @constant */
            type: "batch.failed";
            /** Format: date-time */
            created_at: string;
            /** @constant */
            api_version: "2026-11-01";
            data: components["schemas"]["BatchEventData"];
        };
        /** @description A batch with its items. */
        BatchInFull: {
            /** @description Id of the batch. */
            id: string;
            /**
             * @description failed: every item failed. completed: every item has ended, some may have failed.
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "failed";
            /** @description The template of every item. */
            template_id: string;
            /**
             * @description Format of every document.
             * @enum {string}
             */
            format: "pdf" | "png" | "html" | "docx";
            /** @description Items of the batch. */
            total: number;
            /** @description Items whose file is there. */
            completed: number;
            /** @description Items that failed. */
            failed: number;
            /**
             * Format: date-time
             * @description When the request was accepted.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the files stop being available: 24 hours later.
             */
            expires_at: string;
            /** @description Path of this status. */
            status_url: string;
            /** @description Why it failed; once failed. */
            error?: {
                code: string;
                message: string;
            };
            /** @description In the order of the request. */
            items: readonly components["schemas"]["BatchItem"][];
        };
        /** @description What became of one item. */
        BatchItem: {
            /** @description Place among the items of the request, from 0. */
            index: number;
            /** @enum {string} */
            status: "pending" | "processing" | "completed" | "failed";
            /** @description Where the file is; once completed. */
            file_url?: string;
            /** @description Bytes. */
            file_size?: number;
            /** @description Why it failed; once failed. */
            error?: {
                code: string;
                message: string;
            };
        };
        /** @description A batch has made progress. */
        BatchProgressEvent: {
            /** @description Identifier of the event. Deliveries may repeat: use it to deduplicate. */
            id: string;
            /** @constant */
            type: "batch.progress";
            /** Format: date-time */
            created_at: string;
            /** @constant */
            api_version: "2026-11-01";
            data: components["schemas"]["BatchEventData"];
        };
        BatchRequest: {
            /** @description The template of every item. */
            template_id: string;
            /**
             * @description Format of every document.
             * @enum {string}
             */
            format: "pdf" | "png" | "html" | "docx";
            /** @description 1 to 100 documents. */
            items: readonly components["schemas"]["BatchRequestItem"][];
            options?: components["schemas"]["GenerationOptions"];
        };
        /** @description One document. */
        BatchRequestItem: {
            /** @description Values of the bindings. */
            data: object;
        };
        /** @description What is billed of one kind. */
        BilledUnit: {
            /**
             * @description A document of that format, or an email.
             * @enum {string}
             */
            unit: "pdf" | "png" | "html" | "docx" | "email";
            /** @description How many, of live keys. */
            quantity: number;
            /** @description What one costs, a decimal number. null where the deployment has no price for it. */
            unit_price: string | null;
            /** @description Quantity times price, exactly, not rounded. null without a price. */
            amount: string | null;
        };
        /** @description What is billed for a month: live keys alone. */
        Billing: {
            /** @description The month: `2026-11`. */
            period: string;
            /** @description Its first day, in UTC. */
            from: string;
            /** @description Its last day, in UTC. */
            to: string;
            /** @description ISO 4217. null where nothing has a price. */
            currency: string | null;
            /** @description One entry a kind, always all of them. */
            units: readonly components["schemas"]["BilledUnit"][];
            /** @description The sum of the amounts, exactly. null where nothing has a price. */
            total: string | null;
        };
        /** @description An email template with its data, for inboxes. */
        CompiledEmail: {
            /** @description Id of the result; nothing is stored under it. */
            id: string;
            /** @description Null for an email template that was sent along. */
            template_id: string | null;
            /** @description One line. */
            subject: string;
            /** @description Preview text, one line; empty when the email template has none. */
            preheader: string;
            /** @description For inboxes: css inlined, preview text inside, invisible. */
            html: string;
            /** @description Text alternative. */
            text: string;
            /** @description The email in the words of three providers, to be sent on as it is. */
            providers: {
                resend: {
                    subject: string;
                    html: string;
                    text: string;
                };
                mailgun: {
                    subject: string;
                    html: string;
                    text: string;
                };
                brevo: {
                    subject: string;
                    htmlContent: string;
                    textContent: string;
                };
            };
            /**
             * @description Compiled emails are not stored.
             * @constant
             */
            stored: false;
            /**
             * Format: date-time
             * @description ISO 8601 with milliseconds.
             */
            compiled_at: string;
        };
        /** @description A document whose file can be downloaded. */
        CompletedDocument: {
            /** @description Id of the document. */
            id: string;
            /** @description The template of the document. */
            template_id: string;
            /** @description Path of this status. */
            status_url: string;
            /**
             * Format: date-time
             * @description When the request was accepted.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the file is deleted: 24 hours later.
             */
            expires_at: string;
            /** @constant */
            status: "completed";
            /** @description Path of the file. */
            file_url: string;
            /** @description Size of the file in bytes. */
            file_size: number;
            /** @description Rendering time in milliseconds. */
            render_time_ms: number;
        };
        CompletedDocumentData: {
            /** @description Id of the document. */
            id: string;
            /** @constant */
            status: "completed";
            /** @description The template it is made of. */
            template_id: string;
            /** @description Path of the file, below the base URL. */
            file_url: string;
            /** @description Path of its status, below the base URL. */
            status_url: string;
            /** @description Bytes. */
            file_size: number;
            /** @description How long rendering took, milliseconds. */
            render_time_ms: number;
            /**
             * Format: date-time
             * @description When the file is deleted.
             */
            expires_at: string;
        };
        /** @description An API key, as it is answered once. */
        CreatedApiKey: {
            /** @description Id of the key, which is not the key. */
            id: string;
            /** @description Its name. */
            name: string;
            /** @description What it is for, or null. */
            description: string | null;
            /**
             * @description Documents of test keys carry a watermark.
             * @enum {string}
             */
            type: "live" | "test";
            /** @description What the key may do. */
            scopes: readonly ("templates:read" | "templates:write" | "documents:generate" | "api-keys:read" | "api-keys:write" | "usage:read" | "webhooks:read" | "webhooks:write")[];
            /** @description The key itself, shown this once. */
            key: string;
            /** Format: date-time */
            created_at: string;
        };
        /** @description A hook destination, as it is answered once. */
        CreatedHook: {
            /** @description Its id. */
            id: string;
            /**
             * @description The platform that it is of.
             * @enum {string}
             */
            source: "zapier" | "make";
            /** @description Where events are posted to. */
            url: string;
            /** @description What it is told of. */
            events: readonly ("document.completed" | "document.failed" | "batch.progress" | "batch.completed" | "batch.failed")[];
            /**
             * @description `failing`: the last attempts failed and are retried. `unusable`: nothing can be sent. `pending`: a change is not in force yet.
             * @enum {string}
             */
            status: "pending" | "active" | "failing" | "unusable";
            /** @description The status in words. */
            message: string | null;
            /** @description When the first of the failures since the last success was. */
            failing_since: string | null;
            /** @description The attempt that ended last; behind by some seconds. */
            last_delivery: {
                /**
                 * Format: date-time
                 * @description When it began.
                 */
                at: string;
                /** @description Whether it was answered with 2xx. */
                delivered: boolean;
                /** @description HTTP status of the answer, if there was one. */
                status: number | null;
                /** @description Milliseconds it took. */
                duration_ms: number;
            } | null;
            /** @description Deliveries that wait; behind by some seconds. */
            pending: number;
            /** @description Events that wait until fewer deliveries do, and are not in the list yet; behind by some seconds. */
            spooled: number;
            /** @description Until when the secret before signs as well. */
            previous_secret_until: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description What deliveries are signed with, shown this once.
             * @example whsec_…
             */
            secret: string;
        };
        /** @description What data the template takes; data is checked before a document is made. */
        DataSchema: {
            fields: readonly components["schemas"]["Field"][];
        };
        /** @description What was deleted. */
        Deleted: {
            id: string;
            /** @constant */
            deleted: true;
        };
        /** @description One event on its way to one destination, with every attempt. */
        Delivery: {
            /** @description Id of the delivery. */
            id: string;
            /** @description Id of the event, the same for every endpoint. */
            event_id: string;
            /**
             * @description What happened.
             * @enum {string}
             */
            event_type: "document.completed" | "document.failed" | "batch.progress" | "batch.completed" | "batch.failed" | "generation.completed" | "generation.failed" | "webhook.test";
            /** @description `account`, or the id of a hook; null for the webhook_url of one document. */
            endpoint: string | null;
            /**
             * @description Whether it was delivered.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /** @description The attempts, the latest last; the latest 32 of more. */
            attempts: readonly components["schemas"]["DeliveryAttempt"][];
            /** @description When the next attempt is due; null when there is none, or it is due now. */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The webhook_url of one document; null for an endpoint. */
            url: string | null;
            error: components["schemas"]["DeliveryError"] | null;
            /** @description When it was delivered or given up. */
            finished_at: string | null;
            /** @description Body of the request, the same bytes on every attempt. */
            payload: string;
        };
        /** @description One attempt; without an error it succeeded. */
        DeliveryAttempt: {
            /** @description X-Trifold-Delivery-ID of the attempt. */
            id: string;
            /**
             * Format: date-time
             * @description When it began.
             */
            at: string;
            /** @description Milliseconds it took. */
            duration_ms: number;
            /** @description HTTP status of the answer, if there was one. */
            status: number | null;
            error: components["schemas"]["DeliveryError"] | null;
            /** @description What the answer said: its first 1 KiB. */
            answer: string | null;
        };
        /** @description One event on its way to one destination. */
        DeliveryEntry: {
            /** @description Id of the delivery. */
            id: string;
            /** @description Id of the event, the same for every endpoint. */
            event_id: string;
            /**
             * @description What happened.
             * @enum {string}
             */
            event_type: "document.completed" | "document.failed" | "batch.progress" | "batch.completed" | "batch.failed" | "generation.completed" | "generation.failed" | "webhook.test";
            /** @description `account`, or the id of a hook; null for the webhook_url of one document. */
            endpoint: string | null;
            /**
             * @description Whether it was delivered.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /** @description How many attempts there were. */
            attempts: number;
            /** @description When the next attempt is due; null when there is none, or it is due now. */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
        };
        /** @description Why an event was not delivered. */
        DeliveryError: {
            /**
             * @description For programs.
             * @example http_error
             */
            code: string;
            /** @description For people. */
            message: string;
        };
        /** @description A page of the list, newest first. */
        DeliveryList: {
            data: readonly components["schemas"]["DeliveryEntry"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description A document. Its members depend on `status`; completed and failed are final. */
        Document: components["schemas"]["UnfinishedDocument"] | components["schemas"]["CompletedDocument"] | components["schemas"]["FailedDocument"];
        /** @description A document was generated. */
        DocumentCompletedEvent: {
            /** @description Identifier of the event. Deliveries may repeat: use it to deduplicate. */
            id: string;
            /** @constant */
            type: "document.completed";
            /** Format: date-time */
            created_at: string;
            /** @constant */
            api_version: "2026-11-01";
            data: components["schemas"]["CompletedDocumentData"];
        };
        /** @description A document could not be generated. */
        DocumentFailedEvent: {
            /** @description Identifier of the event. Deliveries may repeat: use it to deduplicate. */
            id: string;
            /** @constant */
            type: "document.failed";
            /** Format: date-time */
            created_at: string;
            /** @constant */
            api_version: "2026-11-01";
            data: components["schemas"]["FailedDocumentData"];
        };
        EmailRequest: {
            /** @description A saved template that has the member email. Either this or template. */
            template_id?: string;
            template?: components["schemas"]["InlineEmailTemplate"];
            /** @description Values of the bindings. */
            data: object;
        };
        /** @description An error. */
        Error: {
            /** @description The status of the answer. */
            statusCode: number;
            /** @description The status in words. */
            error: string;
            /** @description What is wrong and what to do about it. */
            message: string;
            /**
             * @description Stable, for programs. There may be new ones.
             * @example data_invalid
             */
            code: string;
            details?: readonly {
                /** @description JSON Pointer into the body (`/data/lines/3/qty`), or into the query. */
                path: string;
                message: string;
            }[];
            /** @description Line of the problem, where a template does not compile. */
            line?: number;
            /** @description Its column. */
            column?: number;
            /** @description Id of the request, as in the header X-Request-Id. */
            request_id: string;
        };
        /** @description A document that could not be generated. */
        FailedDocument: {
            /** @description Id of the document. */
            id: string;
            /** @description The template of the document. */
            template_id: string;
            /** @description Path of this status. */
            status_url: string;
            /**
             * Format: date-time
             * @description When the request was accepted.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the file is deleted: 24 hours later.
             */
            expires_at: string;
            /** @constant */
            status: "failed";
            /** @description Why the document could not be generated. */
            error: {
                code: string;
                message: string;
            };
        };
        FailedDocumentData: {
            /** @description Id of the document. */
            id: string;
            /** @constant */
            status: "failed";
            /** @description The template it was to be made of. */
            template_id: string;
            /** @description Path of its status, below the base URL. */
            status_url: string;
            /** @description Why the job failed. */
            error: {
                /** @description For programs; a code keeps its meaning. */
                code: string;
                /** @description For people. */
                message: string;
            };
            /**
             * Format: date-time
             * @description When the request was accepted.
             */
            created_at: string;
        };
        /** @description One binding of a template. */
        Field: {
            /** @description Name of the binding. */
            name: string;
            /**
             * @description Type of its value.
             * @enum {string}
             */
            type: "string" | "number" | "boolean" | "array" | "object";
            /** @description Whether a value must be given. */
            required?: boolean;
            /** @description Value when none is given. */
            default?: unknown;
            /** @description What it is, for people. */
            description?: string;
            /**
             * @description What a string must be.
             * @enum {string}
             */
            format?: "email" | "url" | "date";
            /** @description Fewest characters of a string. */
            minLength?: number;
            /** @description Most characters of a string. */
            maxLength?: number;
            /** @description Regular expression that a string must match. */
            pattern?: string;
            /** @description Least number. */
            min?: number;
            /** @description Greatest number. */
            max?: number;
            /** @description Whether a number must be whole. */
            integer?: boolean;
            /** @description Fewest items of an array. */
            minItems?: number;
            /** @description Most items of an array. */
            maxItems?: number;
            items?: components["schemas"]["NestedField"];
            properties?: {
                [key: string]: components["schemas"]["NestedField"];
            };
        };
        GenerateRequest: {
            /** @description The template to use. */
            template_id: string;
            /** @description Values of the bindings. */
            data: object;
            options?: components["schemas"]["GenerationOptions"];
            /** @description Answer 202 at once; the document is polled at its status_url. */
            async?: boolean;
            /** @description HTTPS URL that is notified, unsigned, when the document completes or fails. */
            webhook_url?: string;
            /** @description Name of the file when it is downloaded. */
            filename?: string;
            /**
             * @description Kind of file; pdf when left out.
             * @enum {string}
             */
            format?: "pdf" | "png" | "html" | "docx";
        };
        /** @description The document of a request with `webhook_url` was generated. Not signed. */
        GenerationCompletedEvent: {
            /** @description Identifier of the event. Deliveries may repeat: use it to deduplicate. */
            id: string;
            /** @constant */
            type: "generation.completed";
            /** Format: date-time */
            created_at: string;
            /** @constant */
            api_version: "2026-11-01";
            data: components["schemas"]["CompletedDocumentData"];
        };
        /** @description An error, with the document when it could not be generated. */
        GenerationError: {
            /** @description The status of the answer. */
            statusCode: number;
            /** @description The status in words. */
            error: string;
            /** @description What is wrong and what to do about it. */
            message: string;
            /**
             * @description Stable, for programs. There may be new ones.
             * @example data_invalid
             */
            code: string;
            details?: readonly {
                /** @description JSON Pointer into the body (`/data/lines/3/qty`), or into the query. */
                path: string;
                message: string;
            }[];
            /** @description Line of the problem, where a template does not compile. */
            line?: number;
            /** @description Its column. */
            column?: number;
            /** @description Id of the request, as in the header X-Request-Id. */
            request_id: string;
            document?: components["schemas"]["FailedDocument"];
        };
        /** @description The document of a request with `webhook_url` could not be generated. Not signed. */
        GenerationFailedEvent: {
            /** @description Identifier of the event. Deliveries may repeat: use it to deduplicate. */
            id: string;
            /** @constant */
            type: "generation.failed";
            /** Format: date-time */
            created_at: string;
            /** @constant */
            api_version: "2026-11-01";
            data: components["schemas"]["FailedDocumentData"];
        };
        /** @description How the document is printed; what is left out is taken from the template, then from the defaults. */
        GenerationOptions: {
            /**
             * @description Default letter; custom needs width and height.
             * @enum {string}
             */
            page_size?: "letter" | "a4" | "legal" | "custom";
            /** @description Width of a custom page. */
            width?: Length;
            /** @description Height of a custom page. */
            height?: Length;
            /**
             * @description Default portrait; does not turn a custom page.
             * @enum {string}
             */
            orientation?: "portrait" | "landscape";
            /** @description One length for all sides, or a length for each side; default 0.4in. */
            margins?: Length | {
                /** @description Top margin. */
                top?: Length;
                /** @description Right margin. */
                right?: Length;
                /** @description Bottom margin. */
                bottom?: Length;
                /** @description Left margin. */
                left?: Length;
            };
            header?: {
                /** @description Whether there is a header; default false. */
                enabled?: boolean;
                /** @description Its height, inside the margins; default 0.5in. */
                height?: Length;
                /** @description HTML with {{bindings}}; {{page}} is the number of the page, {{pages}} that of the last one. */
                content?: string;
            };
            footer?: {
                /** @description Whether there is a footer; default false. */
                enabled?: boolean;
                /** @description Its height, inside the margins; default 0.5in. */
                height?: Length;
                /** @description HTML with {{bindings}}; {{page}} is the number of the page, {{pages}} that of the last one. */
                content?: string;
            };
            /** @description Whether backgrounds are printed; default true. */
            print_background?: boolean;
            /** @description Scale of the content, 0.1 to 2; default 1. */
            scale?: number;
            /** @description Whether the PDF is tagged; default false. */
            tagged?: boolean;
            /** @description Whether the PDF has an outline of its headings, and tags with it; default false. */
            outline?: boolean;
            /** @description For png: whether the picture shows the whole document or only its first page; default true. */
            full_page?: boolean;
            /** @description For png: pixels of the picture for each CSS pixel, 1 to 3; default 1. */
            device_scale?: number;
        };
        /** @description Another destination of the events of the account. */
        Hook: {
            /** @description Its id. */
            id: string;
            /**
             * @description The platform that it is of.
             * @enum {string}
             */
            source: "zapier" | "make";
            /** @description Where events are posted to. */
            url: string;
            /** @description What it is told of. */
            events: readonly ("document.completed" | "document.failed" | "batch.progress" | "batch.completed" | "batch.failed")[];
            /**
             * @description `failing`: the last attempts failed and are retried. `unusable`: nothing can be sent. `pending`: a change is not in force yet.
             * @enum {string}
             */
            status: "pending" | "active" | "failing" | "unusable";
            /** @description The status in words. */
            message: string | null;
            /** @description When the first of the failures since the last success was. */
            failing_since: string | null;
            /** @description The attempt that ended last; behind by some seconds. */
            last_delivery: {
                /**
                 * Format: date-time
                 * @description When it began.
                 */
                at: string;
                /** @description Whether it was answered with 2xx. */
                delivered: boolean;
                /** @description HTTP status of the answer, if there was one. */
                status: number | null;
                /** @description Milliseconds it took. */
                duration_ms: number;
            } | null;
            /** @description Deliveries that wait; behind by some seconds. */
            pending: number;
            /** @description Events that wait until fewer deliveries do, and are not in the list yet; behind by some seconds. */
            spooled: number;
            /** @description Until when the secret before signs as well. */
            previous_secret_until: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description A page of the list, newest first. */
        HookList: {
            data: readonly components["schemas"]["Hook"][];
            pagination: components["schemas"]["Pagination"];
        };
        HookRequest: {
            /**
             * @description The platform that the destination is of.
             * @enum {string}
             */
            source: "zapier" | "make";
            /** @description Where events are posted to: HTTPS, a public address, no user, password or fragment. */
            url: string;
            /** @description Types of events to be told of; all of them when left out. */
            events?: readonly ("document.completed" | "document.failed" | "batch.progress" | "batch.completed" | "batch.failed")[];
        };
        /** @description An email template. Either this or template_id. */
        InlineEmailTemplate: {
            /**
             * @description How the email template is merged.
             * @enum {string}
             */
            engine: "handlebars-html";
            /** @description Subject line, with {{bindings}}; values are not escaped. */
            subject: string;
            /** @description Preview text, with {{bindings}}; inboxes show it beside the subject. */
            preheader?: string;
            /** @description Text alternative, with {{bindings}}, not escaped. Made from the html when left out. */
            text?: string;
            /** @description HTML with {{bindings}}; values are escaped. */
            html: string;
            /** @description Styles, not bound; put into style attributes where that can be done. */
            css?: string;
        };
        /** @description The API key lacks the scope. */
        InsufficientScopeError: {
            /** @description 401 */
            statusCode: number;
            /** @description Unauthorized */
            error: string;
            /** @description Names the scope that the request requires. */
            message: string;
            missingScopes: readonly string[];
            yourScopes: readonly string[];
            /** @description What to do about it. */
            hint: string;
        };
        /** @description Schema of items or members. */
        NestedField: {
            /**
             * @description Type of its value.
             * @enum {string}
             */
            type?: "string" | "number" | "boolean" | "array" | "object";
            /** @description Whether a value must be given. */
            required?: boolean;
            /** @description Value when none is given. */
            default?: unknown;
            /** @description What it is, for people. */
            description?: string;
            /**
             * @description What a string must be.
             * @enum {string}
             */
            format?: "email" | "url" | "date";
            /** @description Fewest characters of a string. */
            minLength?: number;
            /** @description Most characters of a string. */
            maxLength?: number;
            /** @description Regular expression that a string must match. */
            pattern?: string;
            /** @description Least number. */
            min?: number;
            /** @description Greatest number. */
            max?: number;
            /** @description Whether a number must be whole. */
            integer?: boolean;
            /** @description Fewest items of an array. */
            minItems?: number;
            /** @description Most items of an array. */
            maxItems?: number;
            items?: components["schemas"]["NestedField"];
            properties?: {
                [key: string]: components["schemas"]["NestedField"];
            };
        };
        NewApiKey: {
            name: string;
            /** @description What it is for. */
            description?: string;
            /** @description What the key may do; default all scopes. The calling key must hold each of them. */
            scopes?: readonly ("templates:read" | "templates:write" | "documents:generate" | "api-keys:read" | "api-keys:write" | "usage:read" | "webhooks:read" | "webhooks:write")[];
            /**
             * @description Default: the type of the calling key. A test key can create test keys only.
             * @enum {string}
             */
            type?: "live" | "test";
        };
        NewTemplate: {
            name: string;
            /** @description What the template is for. */
            description?: string | null;
            /**
             * @description Active and draft templates generate, archived ones do not.
             * @enum {string}
             */
            status?: "active" | "draft" | "archived";
            /** @description HTML with {{bindings}}; values are escaped. */
            html: string;
            /** @description Styles, not bound. */
            css?: string | null;
            schema?: components["schemas"]["DataSchema"] | null;
            default_options?: components["schemas"]["GenerationOptions"] | null;
            email?: components["schemas"]["TemplateEmail"] | null;
        };
        /** @description Where in the list the page stands. */
        Pagination: {
            /** @description Whether there is a page after this one. */
            has_more: boolean;
            /** @description What to send as cursor for the next page; null at the end. */
            next_cursor: string | null;
            /** @description Entries of all pages. */
            total_count: number;
        };
        /** @description The settings, with the secret when one was made. */
        SavedWebhookSettings: {
            /** @description Where events are posted to. */
            url: string;
            /** @description What it is told of. */
            events: readonly ("document.completed" | "document.failed" | "batch.progress" | "batch.completed" | "batch.failed")[];
            /**
             * @description `failing`: the last attempts failed and are retried. `unusable`: nothing can be sent. `pending`: a change is not in force yet.
             * @enum {string}
             */
            status: "pending" | "active" | "failing" | "unusable";
            /** @description The status in words. */
            message: string | null;
            /** @description When the first of the failures since the last success was. */
            failing_since: string | null;
            /** @description The attempt that ended last; behind by some seconds. */
            last_delivery: {
                /**
                 * Format: date-time
                 * @description When it began.
                 */
                at: string;
                /** @description Whether it was answered with 2xx. */
                delivered: boolean;
                /** @description HTTP status of the answer, if there was one. */
                status: number | null;
                /** @description Milliseconds it took. */
                duration_ms: number;
            } | null;
            /** @description Deliveries that wait; behind by some seconds. */
            pending: number;
            /** @description Events that wait until fewer deliveries do, and are not in the list yet; behind by some seconds. */
            spooled: number;
            /** @description Until when the secret before signs as well. */
            previous_secret_until: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description What deliveries are signed with, shown this once.
             * @example whsec_…
             */
            secret?: string;
        };
        /** @description A template in full. */
        Template: {
            /** @description The template_id of generation. */
            id: string;
            /** @description Its name. */
            name: string;
            /** @description What it is for, or null. */
            description: string | null;
            /**
             * @description Archived templates generate nothing.
             * @enum {string}
             */
            status: "active" | "draft" | "archived";
            /** @description Rises by one with each update. */
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description HTML with bindings. */
            html: string;
            /** @description Styles, or null. */
            css: string | null;
            /** @description The data schema, or null. */
            schema: object | null;
            /** @description The default generation options, or null. */
            default_options: components["schemas"]["GenerationOptions"] | null;
            /** @description What makes it an email template, or null. */
            email: components["schemas"]["TemplateEmail"] | null;
        };
        TemplateChange: {
            name?: string;
            /** @description What the template is for. */
            description?: string | null;
            /**
             * @description Active and draft templates generate, archived ones do not.
             * @enum {string}
             */
            status?: "active" | "draft" | "archived";
            /** @description HTML with {{bindings}}; values are escaped. */
            html?: string;
            /** @description Styles, not bound. */
            css?: string | null;
            schema?: components["schemas"]["DataSchema"] | null;
            default_options?: components["schemas"]["GenerationOptions"] | null;
            email?: components["schemas"]["TemplateEmail"] | null;
        };
        /** @description What an email has beside html and css; POST /v1/emails/compile needs it. */
        TemplateEmail: {
            /** @description Subject line, with {{bindings}}; values are not escaped. */
            subject: string;
            /** @description Preview text, with {{bindings}}; inboxes show it beside the subject. */
            preheader?: string;
            /** @description Text alternative, with {{bindings}}, not escaped. Made from the html when left out. */
            text?: string;
        };
        /** @description A template as the list shows it. */
        TemplateEntry: {
            /** @description The template_id of generation. */
            id: string;
            /** @description Its name. */
            name: string;
            /** @description What it is for, or null. */
            description: string | null;
            /**
             * @description Archived templates generate nothing.
             * @enum {string}
             */
            status: "active" | "draft" | "archived";
            /** @description Rises by one with each update. */
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description A page of the list, newest first. */
        TemplateList: {
            data: readonly components["schemas"]["TemplateEntry"][];
            pagination: components["schemas"]["Pagination"];
        };
        TestEventData: {
            /** @description Id of the endpoint that is tested; `account` is the account’s own. */
            endpoint: string;
        };
        /** @description A document that waits for a renderer or is being rendered. */
        UnfinishedDocument: {
            /** @description Id of the document. */
            id: string;
            /** @description The template of the document. */
            template_id: string;
            /** @description Path of this status. */
            status_url: string;
            /**
             * Format: date-time
             * @description When the request was accepted.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the file is deleted: 24 hours later.
             */
            expires_at: string;
            /** @enum {string} */
            status: "pending" | "processing";
        };
        /** @description What the account used in a period. */
        Usage: {
            /** @description First day, in UTC. */
            from: string;
            /** @description Last day, in UTC. */
            to: string;
            /** @description An entry for every day or month of the period, in order. */
            data: readonly components["schemas"]["UsageEntry"][];
            total: components["schemas"]["UsageTotal"];
        };
        /** @description What was used on one day or in one month, with keys of both kinds. */
        UsageEntry: {
            /** @description The day, or the month: `2026-11-21`, `2026-11`. */
            date: string;
            /** @description By the kind of the key. */
            documents: {
                /** @description Documents that were made, by format; items of batches count as documents. */
                live: {
                    /** @description PDF. */
                    pdf: number;
                    /** @description PNG. */
                    png: number;
                    /** @description HTML. */
                    html: number;
                    /** @description DOCX. */
                    docx: number;
                };
                /** @description Documents that were made, by format; items of batches count as documents. */
                test: {
                    /** @description PDF. */
                    pdf: number;
                    /** @description PNG. */
                    png: number;
                    /** @description HTML. */
                    html: number;
                    /** @description DOCX. */
                    docx: number;
                };
            };
            /** @description Documents that failed. */
            failed: number;
            /** @description Pages of the documents that were made. */
            pages: number;
            /** @description Bytes of the documents that were made. */
            bytes: number;
            /** @description Batches that are finished. */
            batches: number;
            /** @description Emails compiled. */
            emails: number;
        };
        /** @description The sum of all entries. */
        UsageTotal: {
            /** @description By the kind of the key. */
            documents: {
                /** @description Documents that were made, by format; items of batches count as documents. */
                live: {
                    /** @description PDF. */
                    pdf: number;
                    /** @description PNG. */
                    png: number;
                    /** @description HTML. */
                    html: number;
                    /** @description DOCX. */
                    docx: number;
                };
                /** @description Documents that were made, by format; items of batches count as documents. */
                test: {
                    /** @description PDF. */
                    pdf: number;
                    /** @description PNG. */
                    png: number;
                    /** @description HTML. */
                    html: number;
                    /** @description DOCX. */
                    docx: number;
                };
            };
            /** @description Documents that failed. */
            failed: number;
            /** @description Pages of the documents that were made. */
            pages: number;
            /** @description Bytes of the documents that were made. */
            bytes: number;
            /** @description Batches that are finished. */
            batches: number;
            /** @description Emails compiled. */
            emails: number;
        };
        /** @description Where the account is told what happens. */
        WebhookSettings: {
            /** @description Where events are posted to. */
            url: string;
            /** @description What it is told of. */
            events: readonly ("document.completed" | "document.failed" | "batch.progress" | "batch.completed" | "batch.failed")[];
            /**
             * @description `failing`: the last attempts failed and are retried. `unusable`: nothing can be sent. `pending`: a change is not in force yet.
             * @enum {string}
             */
            status: "pending" | "active" | "failing" | "unusable";
            /** @description The status in words. */
            message: string | null;
            /** @description When the first of the failures since the last success was. */
            failing_since: string | null;
            /** @description The attempt that ended last; behind by some seconds. */
            last_delivery: {
                /**
                 * Format: date-time
                 * @description When it began.
                 */
                at: string;
                /** @description Whether it was answered with 2xx. */
                delivered: boolean;
                /** @description HTTP status of the answer, if there was one. */
                status: number | null;
                /** @description Milliseconds it took. */
                duration_ms: number;
            } | null;
            /** @description Deliveries that wait; behind by some seconds. */
            pending: number;
            /** @description Events that wait until fewer deliveries do, and are not in the list yet; behind by some seconds. */
            spooled: number;
            /** @description Until when the secret before signs as well. */
            previous_secret_until: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        WebhookSettingsRequest: {
            /** @description Where events are posted to: HTTPS, a public address, no user, password or fragment. */
            url: string;
            /** @description Types of events to be told of; all of them when left out. */
            events?: readonly ("document.completed" | "document.failed" | "batch.progress" | "batch.completed" | "batch.failed")[];
            /** @description Whether there is to be a new secret. The one before signs as well for 24 hours. */
            rotate_secret?: boolean;
        };
        /** @description The account sent a test event. */
        WebhookTestEvent: {
            /** @description Identifier of the event. Deliveries may repeat: use it to deduplicate. */
            id: string;
            /** @constant */
            type: "webhook.test";
            /** Format: date-time */
            created_at: string;
            /** @constant */
            api_version: "2026-11-01";
            data: components["schemas"]["TestEventData"];
        };
        /** @description What came of a test event. */
        WebhookTestResult: {
            /** @description Whether the endpoint answered with 2xx. */
            delivered: boolean;
            /** @description HTTP status of the answer, if there was one. */
            status: number | null;
            /** @description Milliseconds it took. */
            duration_ms: number;
            /** @description Why it was not delivered. */
            error: {
                /**
                 * @description For programs.
                 * @example connection_refused
                 */
                code: string;
                /** @description For people. */
                message: string;
            } | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listTemplates: {
        parameters: {
            query?: {
                /** @description Entries of a page, 1 to 100; default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
                /** @description Only those of this status. */
                status?: "active" | "draft" | "archived";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Entries of a page, 1 to 100; default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description Entries of a page, 1 to 100; default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    readUsage: {
        parameters: {
            query?: {
                /**
                 * @description First day, in UTC. Left out: the first day of the month of the last.
                 * @example 2026-11-21
                 */
                from?: string;
                /**
                 * @description Last day, in UTC, which counts as well. Left out: today.
                 * @example 2026-11-21
                 */
                to?: string;
                /** @description What an entry is of. */
                granularity?: "day" | "month";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    readBilling: {
        parameters: {
            query?: {
                /**
                 * @description The month, in UTC. Left out: the present one.
                 * @example 2026-11
                 */
                period?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description Entries of a page, 1 to 100; default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
                /** @description Only events of this type. */
                event?: "document.completed" | "document.failed" | "batch.progress" | "batch.completed" | "batch.failed" | "generation.completed" | "generation.failed" | "webhook.test";
                /** @description Only those of this status. */
                status?: "pending" | "delivered" | "failed";
                /** @description Alias of `status`. No entry matches if the two differ. */
                state?: "pending" | "delivered" | "failed";
                /** @description Only those to this endpoint: `account`, or the id of a hook. */
                endpoint?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listHooks: {
        parameters: {
            query?: {
                /** @description Entries of a page, 1 to 100; default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
}
