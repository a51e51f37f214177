/** Walks over the markers of a JPEG (ITU T.81, B.1.1) and bounds what makes its decoding long: frames and scans. */
import { UnreadSource } from '../../../repository/repository-content.ts';

/** Encoders write about ten. Each costs a pass over all pixels, also when it is empty. */
export const mostScans = 64;

/** The number of components of its colours. Throws `UnreadSource` for a JPEG with several frames, or with too many scans. */
export const checkJpeg = (bytes: Uint8Array): number => {
  const counts = { frames: 0, scans: 0 };
  let components = 0;
  for (let at = 2; at + 3 < bytes.length;) {
    if (bytes[at] !== 0xff) {
      // Data of a scan: the next marker.
      const next = bytes.indexOf(0xff, at);
      if (next === -1) break;
      at = next;
      continue;
    }
    const marker = bytes[at + 1] ?? 0;
    if (isFrame(marker)) {
      counts.frames += 1;
      components = bytes[at + 9] ?? 0;
    }
    if (marker === startOfScan) counts.scans += 1;
    if (counts.frames > 1) throw new UnreadSource('The JPEG has more than one frame.');
    if (counts.scans > mostScans) throw new UnreadSource(`The JPEG has more than ${mostScans} scans.`);
    // A fill byte may stand before a marker.
    at +=
      marker === 0xff ? 1 : isAlone(marker) ? 2 : 2 + Math.max(2, ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
  }
  return components;
};

const startOfScan = 0xda;

/** SOF0 to SOF15. Between them stand tables (DHT, DAC) and JPG. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Without a segment: a stuffed zero, TEM, RST0 to RST7, SOI, EOI. */
const isAlone = (marker: number): boolean => marker === 0 || marker === 1 || (marker >= 0xd0 && marker <= 0xd9);
