/** Draws the links of an entity. */
import { useEffect, useRef, useState, type ReactElement } from 'react';
import type { EntityKey } from './entity-address.ts';
import { LinkAnchor } from './link-anchor.tsx';
import {
  drawingOf,
  lineHeight,
  padding,
  type Box,
  type Named,
  type PlacedTarget,
  type TextLine,
} from './link-layout.ts';

type LinkGraphProps = { readonly title: string; readonly of: EntityKey; readonly links: readonly Named[] };

export const LinkGraph = ({ title, of, links }: LinkGraphProps): ReactElement => {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const { height, source, targets } = drawingOf(title, links, width);
  return (
    <div ref={place} className="link-graph">
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        aria-label={`The links of ${title}`}
      >
        <defs>
          <marker id="link-arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">
            <path d="M0 0 L8 4 L0 8 z" />
          </marker>
        </defs>
        {targets.map((target) => (
          <Edges key={target.target} target={target} of={of} />
        ))}
        <g className="graph-source">
          <rect {...boxOf(source)} rx="6" />
          <Lines lines={source.lines} box={source} />
        </g>
        {targets.map((target) => (
          <Target key={target.target} target={target} of={of} />
        ))}
      </svg>
    </div>
  );
};

const Edges = ({ target, of }: { readonly target: PlacedTarget; readonly of: EntityKey }): ReactElement => (
  <>
    {target.edges.map(({ link, label, path, labelX, labelY }) => (
      <LinkAnchor
        key={`${link.rel} ${link.title ?? ''} ${link.type ?? ''}`}
        link={link}
        of={of}
        className="graph-edge"
        isSecond
      >
        <title>{link.rel}</title>
        <path className="graph-hit" d={path} />
        <path className="graph-line" d={path} markerEnd="url(#link-arrow)" />
        <text x={labelX} y={labelY} textAnchor="end">
          {label}
        </text>
      </LinkAnchor>
    ))}
  </>
);

const Target = ({ target, of }: { readonly target: PlacedTarget; readonly of: EntityKey }): ReactElement | null => {
  const [edge] = target.edges;
  if (edge === undefined) return null;
  return (
    <LinkAnchor link={edge.link} of={of} className="graph-target">
      <rect {...boxOf(target)} rx="6" />
      <Lines lines={target.lines} box={target} />
    </LinkAnchor>
  );
};

const boxOf = ({ x, y, width, height }: Box): Box => ({ x, y, width, height });

/** In the middle of the height of the box. */
const Lines = ({ lines, box }: { readonly lines: readonly TextLine[]; readonly box: Box }): ReactElement => {
  const top = box.y + (box.height - lines.length * lineHeight) / 2;
  return (
    <text>
      {lines.map(({ text, isSoft }, at) => (
        <tspan
          key={at}
          x={box.x + padding}
          y={top + (at + 1) * lineHeight - 5}
          className={isSoft ? 'graph-soft' : undefined}
        >
          {text}
        </tspan>
      ))}
    </text>
  );
};

/** The width of the element, followed as it changes. */
const useWidth = (place: { readonly current: HTMLElement | null }): number => {
  const [width, setWidth] = useState(900);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => {
      // An element that is not shown has no width.
      const measured = Math.floor(entry?.contentRect.width ?? 0);
      if (measured > 0) setWidth(Math.max(measured, least));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [place]);
  return width;
};

/** In pixels. Boxes of a narrower drawing would have no room for words. */
const least = 240;
