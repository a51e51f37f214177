/** Names the topics of a world's shared state that outlast its data. */

/** The course of the world's clock. */
export const clockTopic = 'clock';
/** By how much each process has moved that clock forward. */
export const clockAdvanceTopic = 'clock-advances';

/**
 * What a reset of the world keeps, and a fork copies. All other topics end with the data: sessions, failed logins, faults. A
 * topic that is not named here cannot outlive a reset by mistake.
 */
export const lastingTopics: readonly string[] = [clockTopic, clockAdvanceTopic];
