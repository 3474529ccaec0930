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
    "/v1/templates/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTemplateVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/generate/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBatches"];
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
        /** @description An API key, without the key itself. */
        ApiKey: {
            /** @description Id of the key. It is not the key itself. */
            id: string;
            /** @description Name. */
            name: string;
            /** @description Description, or null. */
            description: string | null;
            /**
             * @description Documents of test keys carry a watermark.
             * @enum {string}
             */
            type: "live" | "test";
            /** @description Scopes of the key. */
            scopes: readonly ("templates:read" | "templates:write" | "documents:generate" | "api-keys:read" | "api-keys:write" | "usage:read" | "webhooks:read" | "webhooks:write")[];
            /** @description The last four characters of the key. */
            last_four: string;
            /** Format: date-time */
            created_at: string;
            /** @description Time of the last use, accurate to a minute; null if it was never used. */
            last_used_at: string | null;
        };
        /** @description One page of the list, newest first. */
        ApiKeyList: {
            data: readonly components["schemas"]["ApiKey"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description A batch with its progress. */
        Batch: {
            /** @description Id of the batch. */
            id: string;
            /**
             * @description `failed`: every item failed. `completed`: every item has ended; some may have failed.
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "failed";
            /** @description Id of the template of all items. */
            template_id: string;
            /**
             * @description Format of every document.
             * @enum {string}
             */
            format: "pdf" | "png" | "html" | "docx";
            /** @description Items of the batch. */
            total: number;
            /** @description Completed items. */
            completed: number;
            /** @description Failed items. */
            failed: number;
            /**
             * Format: date-time
             * @description Time of acceptance.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time at which the files are deleted, 24 hours later.
             */
            expires_at: string;
            /** @description Path of this status. */
            status_url: string;
            /** @description Reason of the failure, if failed. */
            error?: {
                code: string;
                message: string;
            };
            /** @description The `metadata` of the request, if any. */
            metadata?: {
                [key: string]: string;
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
            /** @description The `metadata` of the request, if any. */
            metadata?: {
                [key: string]: string;
            };
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
             * @description `failed`: every item failed. `completed`: every item has ended; some may have failed.
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "failed";
            /** @description Id of the template of all items. */
            template_id: string;
            /**
             * @description Format of every document.
             * @enum {string}
             */
            format: "pdf" | "png" | "html" | "docx";
            /** @description Items of the batch. */
            total: number;
            /** @description Completed items. */
            completed: number;
            /** @description Failed items. */
            failed: number;
            /**
             * Format: date-time
             * @description Time of acceptance.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time at which the files are deleted, 24 hours later.
             */
            expires_at: string;
            /** @description Path of this status. */
            status_url: string;
            /** @description Reason of the failure, if failed. */
            error?: {
                code: string;
                message: string;
            };
            /** @description The `metadata` of the request, if any. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Items in the order of the request. */
            items: readonly components["schemas"]["BatchItem"][];
        };
        /** @description Result of one item. */
        BatchItem: {
            /** @description Index of the item in the request, from 0. */
            index: number;
            /** @enum {string} */
            status: "pending" | "processing" | "completed" | "failed";
            /** @description Path of the file, if completed. */
            file_url?: string;
            /** @description Bytes. */
            file_size?: number;
            /** @description Reason of the failure, if failed. */
            error?: {
                code: string;
                message: string;
            };
            /** @description What may differ from what the author meant, if anything was noticed. */
            warnings?: readonly components["schemas"]["DocumentWarning"][];
            /** @description The `metadata` of the item, if any. */
            metadata?: {
                [key: string]: string;
            };
        };
        /** @description One page of the list, newest first. */
        BatchList: {
            data: readonly components["schemas"]["Batch"][];
            pagination: components["schemas"]["Pagination"];
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
            /** @description Id of the template of all items. */
            template_id: string;
            /** @description Stored version of the template to generate with; default the published one, or else the current one. */
            version?: number;
            /**
             * @description Format of every document.
             * @enum {string}
             */
            format: "pdf" | "png" | "html" | "docx";
            /** @description 1 to 100 documents. */
            items: readonly components["schemas"]["BatchRequestItem"][];
            options?: components["schemas"]["GenerationOptions"];
            /** @description Strings that the service stores and shows with the document: up to 20, with names of up to 40 characters, 1,024 bytes as JSON. */
            metadata?: {
                [key: string]: string;
            };
        };
        /** @description One document. */
        BatchRequestItem: {
            /** @description Values of the bindings. */
            data: object;
            /** @description File name of the download, also in the zip. Default: the id of the batch and the index. */
            filename?: string;
            /** @description Strings that the service stores and shows with the document: up to 20, with names of up to 40 characters, 1,024 bytes as JSON. */
            metadata?: {
                [key: string]: string;
            };
        };
        /** @description Billing of one unit. */
        BilledUnit: {
            /**
             * @description A document of that format, or an email.
             * @enum {string}
             */
            unit: "pdf" | "png" | "html" | "docx" | "email";
            /** @description Quantity, of live keys only. */
            quantity: number;
            /** @description What one costs, a decimal number. null where the deployment has no price for it. */
            unit_price: string | null;
            /** @description Quantity times price, exactly, not rounded. null without a price. */
            amount: string | null;
        };
        /** @description Billing of a month: live keys only. */
        Billing: {
            /** @description The month: `2026-11`. */
            period: string;
            /** @description First day of the period, in UTC. */
            from: string;
            /** @description Last day of the period, in UTC. */
            to: string;
            /** @description ISO 4217. null if nothing has a price. */
            currency: string | null;
            /** @description One entry for each unit, always all of them. */
            units: readonly components["schemas"]["BilledUnit"][];
            /** @description The sum of the amounts, exactly. null where nothing has a price. */
            total: string | null;
            /**
             * @description Work that finished before this time is included; emails up to two seconds before it may be missing. Usually at most
             *     ten seconds old, older while no controller runs. null before a controller has run for the first time.
             */
            as_of: string | null;
        };
        /** @description An email template with its data, for inboxes. */
        CompiledEmail: {
            /** @description Id of the result. Nothing is stored under it. */
            id: string;
            /** @description null for an inline email template. */
            template_id: string | null;
            /** @description One line. */
            subject: string;
            /** @description Preview text, one line; empty if the email template has none. */
            preheader: string;
            /** @description HTML for inboxes: css inlined, with the preview text as invisible text. */
            html: string;
            /** @description Text alternative. */
            text: string;
            /** @description The email as the body of a request to three providers. */
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
            /** @description Id of the template. */
            template_id: string;
            /** @description Path of this status. */
            status_url: string;
            /**
             * Format: date-time
             * @description Time of acceptance.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time at which the file is deleted, 24 hours later.
             */
            expires_at: string;
            /** @description The `filename` of the request, if any, as a safe name with its extension. */
            filename?: string;
            /** @description The `metadata` of the request, if any. */
            metadata?: {
                [key: string]: string;
            };
            /** @constant */
            status: "completed";
            /** @description Path of the file. */
            file_url: string;
            /** @description Size of the file in bytes. */
            file_size: number;
            /** @description Rendering time in milliseconds. */
            render_time_ms: number;
            /** @description What may differ from what the author meant; empty when nothing was noticed. */
            warnings: readonly components["schemas"]["DocumentWarning"][];
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
            /** @description What may differ from what the author meant; omitted when nothing was noticed. */
            warnings?: readonly components["schemas"]["DocumentWarning"][];
            /** @description The `metadata` of the request, if any. */
            metadata?: {
                [key: string]: string;
            };
        };
        /** @description An API key with the key itself, which is shown only once. */
        CreatedApiKey: {
            /** @description Id of the key. It is not the key itself. */
            id: string;
            /** @description Name. */
            name: string;
            /** @description Description, or null. */
            description: string | null;
            /**
             * @description Documents of test keys carry a watermark.
             * @enum {string}
             */
            type: "live" | "test";
            /** @description Scopes of the key. */
            scopes: readonly ("templates:read" | "templates:write" | "documents:generate" | "api-keys:read" | "api-keys:write" | "usage:read" | "webhooks:read" | "webhooks:write")[];
            /** @description The key itself. It is shown only once. */
            key: string;
            /** Format: date-time */
            created_at: string;
        };
        /** @description A hook with its secret, which is shown only once. */
        CreatedHook: {
            /** @description Id. */
            id: string;
            /**
             * @description Platform of the hook.
             * @enum {string}
             */
            source: "zapier" | "make";
            /** @description URL that receives events. */
            url: string;
            /** @description Types of events that it receives. */
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
                 * @description Start of the attempt.
                 */
                at: string;
                /** @description Whether the answer was 2xx. */
                delivered: boolean;
                /** @description HTTP status of the answer, if there was one. */
                status: number | null;
                /** @description Duration in milliseconds. */
                duration_ms: number;
            } | null;
            /** @description Pending deliveries. The number can be some seconds old. */
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
             * @description Secret that signs deliveries. It is shown only once.
             * @example whsec_…
             */
            secret: string;
        };
        /** @description Schema of the data. Data is checked before generation. */
        DataSchema: {
            fields: readonly components["schemas"]["Field"][];
        };
        /** @description Id of the deleted resource. */
        Deleted: {
            id: string;
            /** @constant */
            deleted: true;
        };
        /** @description One event for one endpoint, with its attempts. */
        Delivery: {
            /** @description Id of the delivery. */
            id: string;
            /** @description Id of the event, the same for every endpoint. */
            event_id: string;
            /**
             * @description Type of the event.
             * @enum {string}
             */
            event_type: "document.completed" | "document.failed" | "batch.progress" | "batch.completed" | "batch.failed" | "generation.completed" | "generation.failed" | "webhook.test";
            /** @description `account`, or the id of a hook; null for the webhook_url of one document. */
            endpoint: string | null;
            /**
             * @description Whether the event was delivered.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /** @description The latest 32 attempts, the latest last. */
            attempts: readonly components["schemas"]["DeliveryAttempt"][];
            /** @description Time of the next attempt; null if there is none, or if it is due now. */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description Time of the event.
             */
            created_at: string;
            /** @description `webhook_url` of the document; null for an endpoint. */
            url: string | null;
            error: components["schemas"]["DeliveryError"] | null;
            /** @description Time of the delivery or of the final failure. */
            finished_at: string | null;
            /** @description Body of the request, the same bytes on every attempt. */
            payload: string;
        };
        /** @description One attempt. Without `error` it succeeded. */
        DeliveryAttempt: {
            /** @description X-Trifold-Delivery-ID of the attempt. */
            id: string;
            /**
             * Format: date-time
             * @description Start of the attempt.
             */
            at: string;
            /** @description Duration in milliseconds. */
            duration_ms: number;
            /** @description HTTP status of the answer, if there was one. */
            status: number | null;
            error: components["schemas"]["DeliveryError"] | null;
            /** @description First 1 KiB of the answer. */
            answer: string | null;
        };
        /** @description One event for one endpoint. */
        DeliveryEntry: {
            /** @description Id of the delivery. */
            id: string;
            /** @description Id of the event, the same for every endpoint. */
            event_id: string;
            /**
             * @description Type of the event.
             * @enum {string}
             */
            event_type: "document.completed" | "document.failed" | "batch.progress" | "batch.completed" | "batch.failed" | "generation.completed" | "generation.failed" | "webhook.test";
            /** @description `account`, or the id of a hook; null for the webhook_url of one document. */
            endpoint: string | null;
            /**
             * @description Whether the event was delivered.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /** @description Number of attempts. */
            attempts: number;
            /** @description Time of the next attempt; null if there is none, or if it is due now. */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description Time of the event.
             */
            created_at: string;
        };
        /** @description Reason of a failed delivery. */
        DeliveryError: {
            /**
             * @description Stable code for programs.
             * @example http_error
             */
            code: string;
            /** @description Message for people. */
            message: string;
        };
        /** @description One page of the list, newest first. */
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
        /** @description One page of the list, newest first. */
        DocumentList: {
            data: readonly components["schemas"]["Document"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description Part of a completed document that may not be what its author meant. */
        DocumentWarning: {
            /**
             * @description Stable code for programs.
             * @enum {string}
             */
            code: "binding_missing" | "glyphs_missing" | "resource_blocked";
            /** @description Message for people. */
            message: string;
            /** @description Subject: the path of the binding, the script, or the URL without its query. */
            detail: string;
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
            /** @description HTTP status of the answer. */
            statusCode: number;
            /** @description HTTP status text. */
            error: string;
            /** @description What is wrong, and how to correct it. */
            message: string;
            /**
             * @description Stable code for programs. New codes can be added.
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
            /** @description Column of the problem. */
            column?: number;
            /** @description Id of the request, as in the header X-Request-Id. */
            request_id: string;
        };
        /** @description A document that could not be generated. */
        FailedDocument: {
            /** @description Id of the document. */
            id: string;
            /** @description Id of the template. */
            template_id: string;
            /** @description Path of this status. */
            status_url: string;
            /**
             * Format: date-time
             * @description Time of acceptance.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time at which the file is deleted, 24 hours later.
             */
            expires_at: string;
            /** @description The `filename` of the request, if any, as a safe name with its extension. */
            filename?: string;
            /** @description The `metadata` of the request, if any. */
            metadata?: {
                [key: string]: string;
            };
            /** @constant */
            status: "failed";
            /** @description Reason of the failure. */
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
                /** @description Stable code for programs. */
                code: string;
                /** @description Message for people. */
                message: string;
            };
            /**
             * Format: date-time
             * @description When the request was accepted.
             */
            created_at: string;
            /** @description The `metadata` of the request, if any. */
            metadata?: {
                [key: string]: string;
            };
        };
        /** @description One field of the data. */
        Field: {
            /** @description Name of the binding. */
            name: string;
            /**
             * @description Type of the value.
             * @enum {string}
             */
            type: "string" | "number" | "boolean" | "array" | "object";
            /** @description Whether a value is required. */
            required?: boolean;
            /** @description Default value. */
            default?: unknown;
            /** @description Name for people. */
            description?: string;
            /**
             * @description Format of a string.
             * @enum {string}
             */
            format?: "email" | "url" | "date";
            /** @description Minimum length of a string. */
            minLength?: number;
            /** @description Maximum length of a string. */
            maxLength?: number;
            /** @description Regular expression that a string must match. */
            pattern?: string;
            /** @description Minimum of a number. */
            min?: number;
            /** @description Maximum of a number. */
            max?: number;
            /** @description Whether a number must be an integer. */
            integer?: boolean;
            /** @description Minimum number of items of an array. */
            minItems?: number;
            /** @description Maximum number of items of an array. */
            maxItems?: number;
            items?: components["schemas"]["NestedField"];
            properties?: {
                [key: string]: components["schemas"]["NestedField"];
            };
        };
        GenerateRequest: {
            /** @description Id of the template. */
            template_id: string;
            /** @description Stored version of the template to generate with; default the published one, or else the current one. */
            version?: number;
            /** @description Values of the bindings. */
            data: object;
            options?: components["schemas"]["GenerationOptions"];
            /** @description Answer 202 at once. Poll the document at its `status_url`. */
            async?: boolean;
            /** @description HTTPS URL that is notified, unsigned, when the document completes or fails. */
            webhook_url?: string;
            /** @description File name of the download. */
            filename?: string;
            /**
             * @description Format of the file; default pdf.
             * @enum {string}
             */
            format?: "pdf" | "png" | "html" | "docx";
            /** @description Strings that the service stores and shows with the document: up to 20, with names of up to 40 characters, 1,024 bytes as JSON. */
            metadata?: {
                [key: string]: string;
            };
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
            /** @description HTTP status of the answer. */
            statusCode: number;
            /** @description HTTP status text. */
            error: string;
            /** @description What is wrong, and how to correct it. */
            message: string;
            /**
             * @description Stable code for programs. New codes can be added.
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
            /** @description Column of the problem. */
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
        /** @description Print options. A missing option has the value of the template, then the default. */
        GenerationOptions: {
            /**
             * @description Default letter. `custom` requires width and height.
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
            /** @description Locale of template helpers without `locale=`: a language tag (BCP 47) such as `de-DE`; default `en-US`. */
            locale?: string;
            /** @description Time zone of template helpers without `timeZone=`: an IANA name such as `Europe/Berlin`; default `UTC`. */
            time_zone?: string;
        };
        /** @description Another endpoint for the events of the account. */
        Hook: {
            /** @description Id. */
            id: string;
            /**
             * @description Platform of the hook.
             * @enum {string}
             */
            source: "zapier" | "make";
            /** @description URL that receives events. */
            url: string;
            /** @description Types of events that it receives. */
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
                 * @description Start of the attempt.
                 */
                at: string;
                /** @description Whether the answer was 2xx. */
                delivered: boolean;
                /** @description HTTP status of the answer, if there was one. */
                status: number | null;
                /** @description Duration in milliseconds. */
                duration_ms: number;
            } | null;
            /** @description Pending deliveries. The number can be some seconds old. */
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
        /** @description One page of the list, newest first. */
        HookList: {
            data: readonly components["schemas"]["Hook"][];
            pagination: components["schemas"]["Pagination"];
        };
        HookRequest: {
            /**
             * @description Platform of the hook.
             * @enum {string}
             */
            source: "zapier" | "make";
            /** @description URL that receives events: HTTPS with a public address, without user, password or fragment. */
            url: string;
            /** @description Types of events to receive; default all. */
            events?: readonly ("document.completed" | "document.failed" | "batch.progress" | "batch.completed" | "batch.failed")[];
        };
        /** @description An email template. Either this or template_id. */
        InlineEmailTemplate: {
            /**
             * @description Template engine.
             * @enum {string}
             */
            engine: "handlebars-html";
            /** @description Subject line, with {{bindings}}; values are not escaped. */
            subject: string;
            /** @description Preview text, with {{bindings}}; inboxes show it beside the subject. */
            preheader?: string;
            /** @description Text alternative, with {{bindings}}; values are not escaped. Default: derived from the html. */
            text?: string;
            /** @description HTML with {{bindings}}; values are escaped. */
            html: string;
            /** @description CSS, without bindings. Inlined into style attributes where possible. */
            css?: string;
        };
        /** @description The API key lacks the scope. */
        InsufficientScopeError: {
            /** @description 401 */
            statusCode: number;
            /** @description Unauthorized */
            error: string;
            /** @description Message that names the required scope. */
            message: string;
            missingScopes: readonly string[];
            yourScopes: readonly string[];
            /** @description Remedy. */
            hint: string;
        };
        /** @description Schema of items or members. */
        NestedField: {
            /**
             * @description Type of the value.
             * @enum {string}
             */
            type?: "string" | "number" | "boolean" | "array" | "object";
            /** @description Whether a value is required. */
            required?: boolean;
            /** @description Default value. */
            default?: unknown;
            /** @description Name for people. */
            description?: string;
            /**
             * @description Format of a string.
             * @enum {string}
             */
            format?: "email" | "url" | "date";
            /** @description Minimum length of a string. */
            minLength?: number;
            /** @description Maximum length of a string. */
            maxLength?: number;
            /** @description Regular expression that a string must match. */
            pattern?: string;
            /** @description Minimum of a number. */
            min?: number;
            /** @description Maximum of a number. */
            max?: number;
            /** @description Whether a number must be an integer. */
            integer?: boolean;
            /** @description Minimum number of items of an array. */
            minItems?: number;
            /** @description Maximum number of items of an array. */
            maxItems?: number;
            items?: components["schemas"]["NestedField"];
            properties?: {
                [key: string]: components["schemas"]["NestedField"];
            };
        };
        NewApiKey: {
            name: string;
            /** @description Description. */
            description?: string;
            /** @description Scopes of the key; default all. The calling key must hold each of them. */
            scopes?: readonly ("templates:read" | "templates:write" | "documents:generate" | "api-keys:read" | "api-keys:write" | "usage:read" | "webhooks:read" | "webhooks:write")[];
            /**
             * @description Default: the type of the calling key. A test key can create test keys only.
             * @enum {string}
             */
            type?: "live" | "test";
        };
        NewTemplate: {
            name: string;
            /** @description Description. */
            description?: string | null;
            /**
             * @description Active and draft templates generate, archived ones do not.
             * @enum {string}
             */
            status?: "active" | "draft" | "archived";
            /** @description HTML with {{bindings}}; values are escaped. */
            html: string;
            /** @description CSS, without bindings. */
            css?: string | null;
            schema?: components["schemas"]["DataSchema"] | null;
            default_options?: components["schemas"]["GenerationOptions"] | null;
            email?: components["schemas"]["TemplateEmail"] | null;
        };
        /** @description Position of the page in the list. */
        Pagination: {
            /** @description Whether there is a page after this one. */
            has_more: boolean;
            /** @description `cursor` of the next page; null at the end. */
            next_cursor: string | null;
            /** @description Number of entries on all pages. */
            total_count: number;
        };
        /** @description A template with data, rendered and not stored. */
        Preview: {
            /** @description The file in Base64, or null if there are errors. The file of an email is its HTML. */
            file: string | null;
            /** @description The other parts of an email, or null. */
            email: {
                /** @description One line. */
                subject: string;
                /** @description Preview text, one line. */
                preheader: string;
                /** @description Text alternative. */
                text: string;
            } | null;
            /** @description What may differ from what the author meant; empty when nothing was noticed. */
            warnings: readonly components["schemas"]["DocumentWarning"][];
            /** @description Why there is no file; empty if there is one. */
            errors: readonly components["schemas"]["PreviewError"][];
            /** @description Durations in milliseconds; 0 for a step that did not run. */
            timings: {
                /** @description Checks of the template, the options and the data. */
                check_ms: number;
                /** @description Merge of the template with the data. */
                merge_ms: number;
                /** @description Creation of the file, including the wait for a browser. */
                print_ms: number;
            };
        };
        /** @description One problem of a template, its schema, options or data. */
        PreviewError: {
            /** @description Error code, as in the table of error codes. */
            code: string;
            /** @description JSON Pointer into the body, or null. */
            path: string | null;
            /** @description The problem. */
            message: string;
            /** @description Line in the text at `path`, or null. */
            line: number | null;
            /** @description Column in the text at `path`, or null. */
            column: number | null;
        };
        PreviewRequest: {
            /** @description HTML with {{bindings}}; values are escaped. */
            html: string;
            /** @description CSS, without bindings. */
            css?: string | null;
            schema?: components["schemas"]["DataSchema"] | null;
            default_options?: components["schemas"]["GenerationOptions"] | null;
            email?: components["schemas"]["TemplateEmail"] | null;
            /** @description Values of the bindings. */
            data: object;
            options?: components["schemas"]["GenerationOptions"];
            /**
             * @description Format of the file; default pdf. `email` needs the member email.
             * @enum {string}
             */
            format?: "pdf" | "png" | "html" | "docx" | "email";
        };
        Publication: {
            /** @description Stored version of the template, or null for the current one. */
            version: number | null;
        };
        /** @description Result of a retry of several deliveries. */
        RetriedDeliveries: {
            /** @description Number of deliveries that this request retries. */
            retried: number;
            /** @description Whether more deliveries match. */
            has_more: boolean;
            /** @description `cursor` of the next request; null if no more deliveries match. */
            next_cursor: string | null;
        };
        /** @default {} */
        RetryDeliveriesRequest: {
            /**
             * @description Only events of this type.
             * @enum {string}
             */
            event?: "document.completed" | "document.failed" | "batch.progress" | "batch.completed" | "batch.failed" | "generation.completed" | "generation.failed" | "webhook.test";
            /** @description Only deliveries to this endpoint: `account`, or the id of a hook. */
            endpoint?: string;
            /**
             * Format: date-time
             * @description Only events created at this time or later.
             */
            since?: string;
            /** @description `next_cursor` of the previous answer, with the same filters. */
            cursor?: string;
        };
        Sample: {
            /** @description Name, unique in the template. */
            name: string;
            /** @description Data as in a request for a document. It is not checked against the schema. */
            data: {
                [key: string]: unknown;
            };
        };
        /** @description Named sample data of a template. */
        Samples: {
            /** @description At most 128 KiB as JSON. */
            samples: readonly components["schemas"]["Sample"][];
        };
        /** @description The settings, with the secret if the service generated one. */
        SavedWebhookSettings: {
            /** @description URL that receives events. */
            url: string;
            /** @description Types of events that it receives. */
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
                 * @description Start of the attempt.
                 */
                at: string;
                /** @description Whether the answer was 2xx. */
                delivered: boolean;
                /** @description HTTP status of the answer, if there was one. */
                status: number | null;
                /** @description Duration in milliseconds. */
                duration_ms: number;
            } | null;
            /** @description Pending deliveries. The number can be some seconds old. */
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
             * @description Secret that signs deliveries. It is shown only once.
             * @example whsec_…
             */
            secret?: string;
        };
        /** @description Documents, data, records, and versions of templates in the object store. */
        Storage: {
            /** @description null before a controller has counted for the first time. */
            bytes: number | null;
            /** @description null: no limit. */
            limit: number | null;
            /** @description Time of the count, usually at most five minutes ago. */
            as_of: string | null;
        };
        /** @description A template. */
        Template: {
            /** @description Id, used as `template_id`. */
            id: string;
            /** @description Name. */
            name: string;
            /** @description Description, or null. */
            description: string | null;
            /**
             * @description Archived templates generate nothing.
             * @enum {string}
             */
            status: "active" | "draft" | "archived";
            /** @description Increases by one with each update. */
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Version that documents use by default. Absent: the current version. */
            published_version?: number;
            /** @description HTML with bindings. */
            html: string;
            /** @description CSS, or null. */
            css: string | null;
            /** @description The data schema, or null. */
            schema: object | null;
            /** @description The default generation options, or null. */
            default_options: components["schemas"]["GenerationOptions"] | null;
            /** @description Parts of an email other than html and css, or null. */
            email: components["schemas"]["TemplateEmail"] | null;
        };
        TemplateChange: {
            name?: string;
            /** @description Description. */
            description?: string | null;
            /**
             * @description Active and draft templates generate, archived ones do not.
             * @enum {string}
             */
            status?: "active" | "draft" | "archived";
            /** @description HTML with {{bindings}}; values are escaped. */
            html?: string;
            /** @description CSS, without bindings. */
            css?: string | null;
            schema?: components["schemas"]["DataSchema"] | null;
            default_options?: components["schemas"]["GenerationOptions"] | null;
            email?: components["schemas"]["TemplateEmail"] | null;
        };
        /** @description Parts of an email other than html and css. Required by `POST /v1/emails/compile`. */
        TemplateEmail: {
            /** @description Subject line, with {{bindings}}; values are not escaped. */
            subject: string;
            /** @description Preview text, with {{bindings}}; inboxes show it beside the subject. */
            preheader?: string;
            /** @description Text alternative, with {{bindings}}; values are not escaped. Default: derived from the html. */
            text?: string;
        };
        /** @description A template in a list. */
        TemplateEntry: {
            /** @description Id, used as `template_id`. */
            id: string;
            /** @description Name. */
            name: string;
            /** @description Description, or null. */
            description: string | null;
            /**
             * @description Archived templates generate nothing.
             * @enum {string}
             */
            status: "active" | "draft" | "archived";
            /** @description Increases by one with each update. */
            version: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Version that documents use by default. Absent: the current version. */
            published_version?: number;
        };
        /** @description One page of the list, newest first. */
        TemplateList: {
            data: readonly components["schemas"]["TemplateEntry"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description A stored version of a template. */
        TemplateVersion: {
            /** @description Version of the template. */
            version: number;
            /**
             * Format: date-time
             * @description Time of the change; for kubectl, when the service saw it.
             */
            created_at: string;
            /**
             * @description Origin of the content.
             * @enum {string}
             */
            change: "created" | "updated" | "restored";
            /**
             * @description `key`: through `/v1`. `kubectl`: through the API server.
             * @enum {string}
             */
            by: "key" | "kubectl";
        };
        /** @description One page of the list, newest first. */
        TemplateVersionList: {
            data: readonly components["schemas"]["TemplateVersion"][];
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
            /** @description Id of the template. */
            template_id: string;
            /** @description Path of this status. */
            status_url: string;
            /**
             * Format: date-time
             * @description Time of acceptance.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time at which the file is deleted, 24 hours later.
             */
            expires_at: string;
            /** @description The `filename` of the request, if any, as a safe name with its extension. */
            filename?: string;
            /** @description The `metadata` of the request, if any. */
            metadata?: {
                [key: string]: string;
            };
            /** @enum {string} */
            status: "pending" | "processing";
        };
        /** @description Usage of the account in a period. */
        Usage: {
            /** @description First day, in UTC. */
            from: string;
            /** @description Last day, in UTC. */
            to: string;
            /** @description An entry for every day or month of the period, in order. */
            data: readonly components["schemas"]["UsageEntry"][];
            total: components["schemas"]["UsageTotal"];
            /**
             * @description Work that finished before this time is included; emails up to two seconds before it may be missing. Usually at most
             *     ten seconds old, older while no controller runs. null before a controller has run for the first time.
             */
            as_of: string | null;
            storage: components["schemas"]["Storage"];
        };
        /** @description Usage of one day or month, with keys of both types. */
        UsageEntry: {
            /** @description The day, or the month: `2026-11-21`, `2026-11`. */
            date: string;
            /** @description Counts by type of the key. */
            documents: {
                /** @description Generated documents by format. Items of batches count as documents. */
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
                /** @description Generated documents by format. Items of batches count as documents. */
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
        /** @description Sum of all entries. */
        UsageTotal: {
            /** @description Counts by type of the key. */
            documents: {
                /** @description Generated documents by format. Items of batches count as documents. */
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
                /** @description Generated documents by format. Items of batches count as documents. */
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
        /** @description Webhook of the account. */
        WebhookSettings: {
            /** @description URL that receives events. */
            url: string;
            /** @description Types of events that it receives. */
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
                 * @description Start of the attempt.
                 */
                at: string;
                /** @description Whether the answer was 2xx. */
                delivered: boolean;
                /** @description HTTP status of the answer, if there was one. */
                status: number | null;
                /** @description Duration in milliseconds. */
                duration_ms: number;
            } | null;
            /** @description Pending deliveries. The number can be some seconds old. */
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
            /** @description URL that receives events: HTTPS with a public address, without user, password or fragment. */
            url: string;
            /** @description Types of events to receive; default all. */
            events?: readonly ("document.completed" | "document.failed" | "batch.progress" | "batch.completed" | "batch.failed")[];
            /** @description Whether to generate a new secret. The previous one also signs for 24 hours. */
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
        /** @description Result of a test event. */
        WebhookTestResult: {
            /** @description Whether the endpoint answered with 2xx. */
            delivered: boolean;
            /** @description HTTP status of the answer, if there was one. */
            status: number | null;
            /** @description Duration in milliseconds. */
            duration_ms: number;
            /** @description Why it was not delivered. */
            error: {
                /**
                 * @description Stable code for programs.
                 * @example connection_refused
                 */
                code: string;
                /** @description Message for people. */
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
                /** @description Entries per page, 1 to 100; default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
                /** @description Only entries with this status. */
                status?: "active" | "draft" | "archived";
                /** @description Only entries whose name contains this text. Upper and lower case are the same. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listTemplateVersions: {
        parameters: {
            query?: {
                /** @description Entries per page, 1 to 100; default 20. */
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
    listDocuments: {
        parameters: {
            query?: {
                /** @description Entries per page, 1 to 100; default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
                /** @description Only entries with this status. */
                status?: "pending" | "processing" | "completed" | "failed";
                /** @description Only entries of this template. */
                template_id?: string;
                /** @description Only entries whose metadata has these members with exactly these values, such as `metadata[order]=A-17`. */
                metadata?: {
                    [key: string]: string;
                };
                /** @description Only entries whose file name, or the current name of whose template, contains this text. Upper and lower case are the same. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listBatches: {
        parameters: {
            query?: {
                /** @description Entries per page, 1 to 100; default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
                /** @description Only entries with this status. */
                status?: "pending" | "processing" | "completed" | "failed";
                /** @description Only entries of this template. */
                template_id?: string;
                /** @description Only entries whose metadata has these members with exactly these values, such as `metadata[order]=A-17`. */
                metadata?: {
                    [key: string]: string;
                };
                /** @description Only entries whose file name, or the current name of whose template, contains this text. Upper and lower case are the same. */
                q?: string;
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
                /** @description Entries per page, 1 to 100; default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
                /** @description Only entries whose name contains this text. Upper and lower case are the same. */
                q?: string;
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
                /** @description Entries per page, 1 to 100; default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
                /** @description Only entries whose name contains this text. Upper and lower case are the same. */
                q?: string;
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
                /** @description Length of the period of each entry. */
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
                 * @description The month, in UTC. Default: the current month.
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
                /** @description Entries per page, 1 to 100; default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
                /** @description Only events of this type. */
                event?: "document.completed" | "document.failed" | "batch.progress" | "batch.completed" | "batch.failed" | "generation.completed" | "generation.failed" | "webhook.test";
                /** @description Only deliveries to this endpoint: `account`, or the id of a hook. */
                endpoint?: string;
                /** @description Only entries with this status. */
                status?: "pending" | "delivered" | "failed";
                /** @description Alias of `status`. No entry matches if the two differ. */
                state?: "pending" | "delivered" | "failed";
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
                /** @description Entries per page, 1 to 100; default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
                /** @description Only entries whose URL contains this text. Upper and lower case are the same. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
}
