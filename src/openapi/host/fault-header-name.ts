/** The header by which a request asks for faults. */

/** A request asks for faults by this header, and a reply lists the applied faults in it. */
export const faultHeader = 'Atoll-Fault';

/** The same header as a key of `PlainRequest.headers`. */
export const faultHeaderKey = 'atoll-fault';
