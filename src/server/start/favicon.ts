/** Answers with the icon that browsers ask for by themselves, before anything is counted or remembered. */
import { textReply } from '../../core/engine/text-reply.ts';

export const faviconPath = '/favicon.ico';

/** A ring with a gap, as an atoll has it. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="11" fill="none" ' +
  'stroke="#0a7e8c" stroke-width="6" stroke-linecap="round" stroke-dasharray="58 12"/></svg>';

export const faviconReply = textReply('image/svg+xml', icon, { 'Cache-Control': 'public, max-age=86400' });
