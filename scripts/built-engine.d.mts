/** The types of `built-engine.mjs`. */
export declare const builtEngine: () => Promise<string>;
