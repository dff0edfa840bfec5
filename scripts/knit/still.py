# Still lifes of examples/brand-nord: a gift box and a bag in its green, a scarf with stars on a peg, balls of wool, two mugs, folded jumpers,
# and a peg with nothing on it.
# blender -b --python still.py -- present|sack|scarf|wool|mugs|jumpers|peg OUT.png WIDTH HEIGHT SAMPLES
import os, sys
here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(here, '..', 'cloth')]
import numpy as np
from stage import *
from still import bag, gift, knitwear
PINE, MOSS, RAW, SLATE, BIRCH = (.012, .052, .038), (.10, .22, .15), (.80, .75, .64), (.10, .14, .14), (.55, .40, .24)
SNOW = (.70, .715, .68)

def star(x, y, period=20):
    """Stars of eight petals and small crosses between them, as in make.mjs."""
    fold = lambda at, start: np.abs((at-start) % period - period/2)
    across, down = fold(x, 0), fold(y, 0); far, near = np.maximum(across, down), np.minimum(across, down)
    return (fold(x, period/2)+fold(y, period/2) <= 1) | ((near >= 1) & (near <= 4) & (far-near >= 1) & (far-near <= 4))
def stars(ground, figure): return lambda x, y: np.where(star(x, y)[..., None], figure, ground)
def stripes(ground, figure): return lambda x, y: np.where(((x+y) % 2 == 0)[..., None] & ((y % 12) < 6)[..., None], figure, ground)

def present(): return dict(gift(PINE, (.016, .066, .048), RAW), ground=SNOW)
def sack(): return dict(bag(PINE, RAW), ground=SNOW)
def jumpers(): return dict(knitwear((SLATE, MOSS, RAW, stars(PINE, RAW))), ground=SNOW)

def pegs(xs):
    wood = material('birch', BIRCH, .5, .3, bump=(18, .2))
    box('rail', (8, .05, .20), (0, .58, 2.50), wood, .012)
    for x in xs: lathe('peg', [(0, 0), (.036, 0), (.036, .20), (.050, .23), (.056, .27), (.050, .30), (0, .31)], wood, (x, .57, 2.50), (np.pi/2+.18, 0, 0), 48)

def scarf():
    pegs((-1.9, -.95, 0, .95))
    def hang(x0, wide, drop, seed, y0, lean):
        # From the peg downwards: gathered above, open below, with folds that run along it.
        nu, nv = 420, 1500
        u, f = np.linspace(-1, 1, nu)[None], np.linspace(0, 1, nv)[:, None]
        open_ = .30+.70*np.minimum(f/.42, 1)**.8
        x = x0+wide/2*u*open_+lean*f+.012*noise(f*6, u, 1, seed); z = 2.53+.05*(1-u*u)*(1-np.minimum(f/.05, 1))-drop*f+.02*noise(u*2, f*2, 1, seed+3)
        y = y0-.03*np.sin(u*5+seed)*open_-.035*np.sin(u*9.5+1.3*seed+f)*(1-.4*f)-.14*np.exp(-f/.05)+.10*np.minimum(f*1.5, 1)
        p = .026; q = .022; width, length = wide/2*u, drop*f
        t = (width/p) % 1; row = length/q-1.1*np.abs(t-.5); v = row % 1
        stitch = np.sin(np.pi*np.clip(np.abs(t-.5)*2, 0, 1)*.96+.06)**.7*(.55+.45*np.sin(np.pi*v))
        column = np.floor(width/p)+0*f; row = np.floor(row)
        ends = np.minimum(length, drop-length)
        figure = star(column, row) & (ends < 1.0)
        line = (np.abs(ends-1.04) < .03) | (ends < .04)
        colour = np.where((figure | line)[..., None], RAW, PINE)
        sheet('scarf', np.stack([x, y-.007*stitch, z], -1), painted('scarf', colour), .03)
        yarn = material('fringe', RAW, .9, .1, .6)
        for n in range(26):
            s = -1+2*(n+.5)/26; k = int((s+1)/2*(nu-1)); a, b, c = x[-1, k], y[-1, k], z[-1, k]
            d = rng.normal(0, .02, 2)
            for m in (-.008, .008): tube('fringe', [(a+m, b, c+.02), (a+m+d[0]*.3, b-.01, c-.06), (a+m*2+d[0], b-.01+d[1]*.4, c-.20-rng.uniform(0, .02))], .0075, yarn)
    hang(.03, .62, 1.72, 2, .33, .05); hang(-.06, .60, 1.30, 5, .20, -.10)
    return dict(eye=(-.12, -5.3, 1.75), aim=(-.62, 0, 1.66), lens=62, wall=True, ground=SNOW)

def peg():
    pegs((-1.9, -.95, 0, .95))
    return dict(eye=(-.5, -5.3, 2.1), aim=(0, .5, 2.40), lens=88, wall=True, ground=SNOW)

def ball(at, R, colour, seed):
    yarn = material('yarn', colour, .92, .1, .7, bump=(220, .5)); r = np.random.default_rng(seed)
    lathe('core', [(0, -R*.9)]+[(R*.93*np.cos(a), R*.93*np.sin(a)) for a in np.linspace(-1.5, 1.5, 40)]+[(0, R*.9)], yarn, at)
    for _ in range(11):
        # One winding: parallel turns in a plane of its own.
        n = r.normal(size=3); n /= np.linalg.norm(n); e = np.cross(n, (.3, .5, .8)); e /= np.linalg.norm(e); g = np.cross(n, e)
        for k in range(-5, 6):
            off = .068*R*k+.02*R*r.normal()*.3; rad = np.sqrt(R*R-off*off)*(1+.012*r.normal()); a = np.linspace(0, 2*np.pi, 28)
            P = rad*(np.cos(a)[:, None]*e+np.sin(a)[:, None]*g)+off*n+np.array(at)
            tube('turn', [tuple(q) for q in P], .040*R, yarn)

def wool():
    ball((-.62, .25, .50), .50, PINE, 1); ball((.48, .42, .46), .46, RAW, 2); ball((.16, -.55, .34), .34, MOSS, 3)
    birch = material('birch', (.62, .47, .28), .4, .4, bump=(30, .15))
    for a, b in (((-1.55, -.55, .06), (.1, .12, 1.15)), ((-1.35, -.80, .06), (.25, .0, 1.05))):
        a, b = np.array(a), np.array(b)
        tube('needle', [tuple(a+(b-a)*f) for f in (0, .3, .7, 1)], .030, birch); tube('knob', [tuple(a-(b-a)*.02), tuple(a-(b-a)*.01), tuple(a), tuple(a+(b-a)*.015)], .065, birch)
    tube('end', [(.44, -.62, .10), (.75, -.85, .022), (1.05, -.72, .02), (1.2, -.95, .02), (.85, -1.12, .02), (.4, -1.02, .02), (.0, -1.10, .02), (-.6, -1.0, .02), (-1.0, -1.12, .02)], .016, material('strand', MOSS, .92, .1, .7))
    return dict(eye=(.15, -5.0, 2.2), aim=(-.05, -.05, .44), lens=62, ground=SNOW)

def mug(at, colour, turn):
    enamel, rim, tea = material('enamel', colour, .22, .6), material('edge', (.015, .02, .02), .3, .5), material('tea', (.10, .035, .012), .08, .6)
    inside = material('inside', (.86, .86, .82), .2, .6)
    lathe('outside', [(0, 0), (.36, 0), (.40, .02), (.415, .06), (.42, .78)], enamel, at); lathe('inside', [(.405, .78), (.40, .06), (0, .04)], inside, at)
    lathe('tea', [(0, .64), (.405, .64)], tea, at)
    a = np.linspace(0, 2*np.pi, 60); lathe('rim', [(.4125+.016*np.cos(b), .785+.016*np.sin(b)) for b in np.linspace(0, 2*np.pi, 14)], rim, at)
    c, s = np.cos(turn), np.sin(turn)
    hold = [(.40, .66), (.50, .69), (.66, .66), (.72, .48), (.66, .28), (.52, .18), (.40, .20)]
    tube('handle', [(at[0]+r*c, at[1]+r*s, z) for r, z in hold], .042, enamel)

def mugs():
    mug((-.48, .12, 0), (.014, .060, .044), 2.9); mug((.52, .30, 0), (.80, .79, .72), .35)
    # A folded cloth before them, with a stripe.
    nu, nv = 300, 200; u, v = np.linspace(-1, 1, nu)[None], np.linspace(-1, 1, nv)[:, None]
    for k in range(3):
        x, y = .62*u+.012*np.sin(v*4+k), .34*v+.012*np.sin(u*3+k); z = .03+.032*k+.006*noise(u*3, v*2, 1, k)-.02*np.maximum(np.abs(u), np.abs(v))**14
        line = (np.abs(np.abs(u)-.72) < .05)+0*v > 0
        P = np.stack([x*.96+y*.18+.14, y*.96-x*.18-.66, z+0*x], -1)
        sheet('cloth', P, painted('cloth', np.where(line[..., None], PINE, RAW), bump=(260, .3)), .028)
    return dict(eye=(.1, -5.0, 2.6), aim=(.03, -.12, .34), lens=66, ground=SNOW)

if __name__ == '__main__': shoot((present, sack, scarf, wool, mugs, jumpers, peg))
