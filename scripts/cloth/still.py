# Still lifes on a table of linen: folded knitwear, a gift box, spools of thread, a coat on its hanger, buttons in a tray, a paper bag,
# and a hanger with nothing on it.
# blender -b --python still.py -- knitwear|gift|thread|coat|buttons|bag|hanger OUT.png WIDTH HEIGHT SAMPLES
import os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import numpy as np
from mathutils import Vector
from stage import *

def knitwear(colours=(INK, CAMEL, SILK, IVORY)):
    def folded(z, high, width, deep, colour, seed, turn, at=(0, 0)):
        # A loop of knit, seen from its fold: the profile is a flat oval, its upper and lower half are the two layers.
        nu, nv = 520, 560
        a = np.linspace(0, 2*np.pi, nv, endpoint=False)[:, None]; u = np.linspace(-1, 1, nu)[None]
        e = 3.2; cy, cz = np.cos(a), np.sin(a)
        k = (np.abs(cy)**e+np.abs(cz)**e)**(-1/e)
        side = (1-np.abs(u)**9)**(1/3.2)
        y = deep/2*cy*k*(1+.012*noise(u, a, 3, seed)); zz = high/2*cz*k*(.22+.78*side)
        zz = zz*(1+.05*noise(u*2, y*2, 1.6, seed+1)) - .02*(1-np.cos(u*1.4))
        x = width/2*u*(1+.010*noise(y, zz*6, 3, seed+2)) + 0*a
        # Stitches: columns of V along the loop.
        length = np.cumsum(np.hypot(np.diff(np.append(y[:, nu//2], y[0, nu//2])), np.diff(np.append(zz[:, nu//2], zz[0, nu//2]))))[:, None]
        p, q = .047, .036
        t = (x/p) % 1; v = (length/q - 1.1*np.abs(t-.5)) % 1
        stitch = np.sin(np.pi*np.clip(np.abs(t-.5)*2, 0, 1)*.96+.06)**.7*(.55+.45*np.sin(np.pi*v))
        P = np.stack([x, y, zz], -1)
        N = np.stack([0*x, cy*np.abs(cy)**1.2+0*x, cz*np.abs(cz)**1.2*deep/high+0*x], -1); N /= np.linalg.norm(N, axis=-1, keepdims=True)+1e-9
        P = P + N*(.013*stitch)[..., None]
        # A colour, or one for each stitch by its column and row.
        wool = painted('wool', colour(np.floor(x/p+.5), np.floor(length/q - 1.1*np.abs(t-.5)))[np.r_[:nv, 0]]) if callable(colour) else material('wool', colour, .95, .08, .6, bump=(140, .35))
        o = sheet('knit', np.concatenate([P, P[:1]]), wool)
        o.location = (at[0], at[1], z+high/2); o.rotation_euler = (0, 0, turn)
        # Between the layers it is dark.
        return o
    z = 0
    for n, (colour, (high, width, deep, turn)) in enumerate(zip(colours, ((.30, 1.95, 1.35, .03), (.29, 1.88, 1.30, -.035), (.28, 1.84, 1.28, .02), (.30, 1.78, 1.24, -.05)))):
        for layer in (0, 1):
            folded(z, high/2+.02, width, deep*(1-.02*layer), colour, 5*n+layer, turn, at=(.02*layer, .01))
            z += high/2-.004
    return dict(eye=(1.2, -4.6, 1.9), aim=(.02, 0, .52), lens=62)

def gift(paper=IVORY, lid=(.88, .83, .74), ribbon=SILK):
    paper, lid, satin = material('paper', paper, .75, .2, bump=(260, .1)), material('lid', lid, .7, .2, bump=(260, .1)), material('satin', ribbon, .28, .8, .4)
    t = .38
    box('box', (1.5, 1.5, .72), (0, 0, .36), paper, .012, t); box('lid', (1.57, 1.57, .26), (0, 0, .73), lid, .014, t)
    c, s = np.cos(t), np.sin(t); turn = lambda P: np.stack([P[..., 0]*c-P[..., 1]*s, P[..., 0]*s+P[..., 1]*c, P[..., 2]], -1)
    wide = .19
    across = np.linspace(-wide/2, wide/2, 12)[None]
    for axis in (0, 1):
        g, hi, lo = .792, .868, .0
        path = np.array([(-g+.018, lo), (-g+.018, .59), (-g, .60), (-g, hi-.01), (-g+.01, hi+.004), (g-.01, hi+.004), (g, hi-.01), (g, .60), (g-.018, .59), (g-.018, lo)])
        path = np.concatenate([np.linspace(path[i], path[i+1], 14, endpoint=False) for i in range(len(path)-1)]+[path[-1:]])
        a, z = path[:, :1]+0*across, path[:, 1:]+.006*np.sin(across/wide*5+axis)*0+0*across
        P = np.stack([a, across+0*a, z+.004*axis], -1) if axis == 0 else np.stack([across+0*a, a, z+.004], -1)
        sheet('band', turn(P), satin, .006)
    top = .885
    for side, lean in ((-1, .35), (1, -.28)):
        # A loop: out, over and back to the knot; its width pinches at the knot.
        f = np.linspace(0, 1, 90)[:, None]; a = 2*np.pi*f
        reach, high = .60, .27
        d = reach*(.5-.5*np.cos(a)); z = high*np.sin(a)*np.sqrt(np.clip(np.sin(np.pi*f), 0, 1))*.95+.16*np.sin(np.pi*f)
        v = np.linspace(-1, 1, 22)[None]; wd = .04+.125*np.sin(np.pi*f)**.6
        x, y = side*d, v*wd+.05*np.sin(a)*side
        z = z + .012*np.sin(v*7)*np.sin(np.pi*f) + .015*(1-v*v)*np.sin(np.pi*f)
        P = np.stack([x+0*v, y+lean*d*side*.5+0*v, top+.03+z+0*v], -1)
        sheet('loop', turn(P), satin, .006)
    for side, bend in ((-1, .42), (1, .30)):
        f = np.linspace(0, 1, 80)[:, None]; v = np.linspace(-1, 1, 20)[None]
        x = side*(.10+.62*f); y = -.10-bend*f-.30*f*f + v*(.05+.065*np.minimum(f*3, 1)) + 0*x
        z = top+.012+.055*np.sin(f*9+side)*(1-f)*.8+.02 + .010*np.sin(v*5)*np.minimum(f*3, 1)
        x = x + v*.06*np.minimum(f*3, 1)*side + np.abs(v)*.05*(f > .985)*side
        z = np.where(np.maximum(np.abs(x), np.abs(y)) > .79, z-(np.maximum(np.abs(x), np.abs(y))-.79)*1.6, z)
        sheet('tail', turn(np.stack([x, y, z+0*v], -1)), satin, .006)
    a = np.linspace(0, 2*np.pi, 40)[:, None]; v = np.linspace(-1, 1, 20)[None]
    knot = np.stack([.085*np.cos(a)*(1+.18*v*v)+0*v, .10*v+.012*np.sin(a*3), top+.055+.062*np.sin(a)*(1+.15*v*v)+0*v], -1)
    sheet('knot', turn(knot), satin)
    return dict(eye=(.2, -5.2, 3.2), aim=(.03, -.05, .48), lens=62)

def spool(at, turn, colour, size=1.):
    wood, thread = material('wood', (.46, .29, .15), .5, .35, bump=(30, .25)), material('thread', colour, .45, .5, .5)
    R, r, H = .30*size, .235*size, .92*size
    flange = lambda z: [(0, z), (.05*size, z), (.055*size, z+.0), (R-.02*size, z), (R, z+.02*size), (R, z+.075*size), (R-.02*size, z+.095*size), (0, z+.095*size)]
    lathe('flange', flange(0), wood, at, turn); lathe('flange', flange(H-.095*size), wood, at, turn)
    hole = [(0, H+.001), (.052*size, H+.001)]; lathe('hole', hole, material('hole', (.02, .015, .01), .9), at, turn)
    nz, na = 900, 120
    z = np.linspace(.10*size, H-.10*size, nz)[:, None]; a = np.linspace(0, 2*np.pi, na, endpoint=False)[None]
    pitch = .0125*size
    body = r*(1+.035*np.sin(np.pi*(z-.1*size)/(H-.2*size))) + .004*noise(z*9, a, 1, 3)
    rad = body + .0042*size*np.abs(np.sin(np.pi*(z+pitch*a/6.283+.02*np.sin(a+z*3)*size*.2)/pitch))
    o = sheet('thread', np.stack([rad*np.cos(a), rad*np.sin(a), z+0*a], -1), thread, wrap=True); o.location = at; o.rotation_euler = turn

def thread():
    spool((-.62, .18, 0), (0, 0, .4), SILK, 1.12); spool((.12, .42, 0), (0, 0, 2), INK, 1.3)
    spool((.52, -.42, .30), (np.pi/2, 0, 1.9), IVORY, 1.0)
    tube('loose', [(.80, -.66, .05), (.60, -.80, .012), (.20, -.92, .010), (-.30, -.72, .010), (-.38, -.48, .010), (-.05, -.40, .010), (.05, -.66, .010), (-.45, -1.0, .010), (-1.1, -.86, .010), (-1.5, -.60, .010)], .0075, material('strand', IVORY, .6, .3, .5))
    steel = material('steel', (.75, .72, .66), .18, .5, metal=1)
    tube('needle', [(-.95, -.30, .016), (-.6, -.47, .016), (-.25, -.64, .016)], .011, steel)
    return dict(eye=(.15, -5.0, 2.2), aim=(.02, -.12, .46), lens=62)

def on_rail():
    wood, brass = material('wood', (.30, .17, .08), .4, .4), material('brass', GOLD, .25, .5, metal=1)
    tube('hook', [(0, 0, 2.30), (0, 0, 2.44), (.01, 0, 2.52), (.10, 0, 2.60), (.11, 0, 2.72), (0, 0, 2.78), (-.11, 0, 2.71)], .016, brass)
    tube('rail', [(-4, 0, 2.765), (-1, 0, 2.765), (1, 0, 2.765), (4, 0, 2.765)], .03, brass)
    tube('arms', [(-.60, 0, 2.10), (-.45, -.01, 2.17), (-.15, 0, 2.29), (0, 0, 2.32), (.15, 0, 2.29), (.45, -.01, 2.17), (.60, 0, 2.10)], .045, wood)

def hanger():
    on_rail()
    return dict(eye=(-.1, -5.3, 2.1), aim=(0, 0, 2.36), lens=92, wall=True)

def coat():
    wool, lining, dark = material('wool', (.42, .28, .16), .9, .1, .8, bump=(120, .3)), material('lining', SILK, .3, .7, .3), material('horn', (.05, .03, .02), .3, .5)
    on_rail()
    f = np.linspace(0, 1, 420)[:, None]; a = np.linspace(0, 2*np.pi, 720, endpoint=False)[None]
    # Downwards from the shoulders: width and depth of an oval, with folds that grow towards the hem.
    half = .16+.46*np.minimum(f/.075, 1)**.62+.02*np.sin(f*5)+.16*np.maximum(f-.30, 0)
    deep = .06+.13*np.minimum(f/.16, 1)**.6+.09*f
    fold = np.maximum(f-.22, 0)*(.085*np.sin(a*7+.8+.5*np.sin(2*f))+.06*np.sin(a*11+2)+.03*np.sin(a*19))
    ca, sa = np.cos(a), np.sin(a); k = (np.abs(ca)**2.6+np.abs(sa)**2.6)**(-1/2.6)
    x = half*ca*k*(1+.35*fold); y = deep*sa*k*(1+2.2*fold)+.012*noise(f*8, a*2, 1, 4)
    z = 2.36-.215*np.minimum(f/.075, 1)*np.abs(ca*k)**1.3*1.0-2.15*f
    z = z - .02*np.abs(fold)
    sheet('body', np.stack([x, y, z+0*a], -1), wool, wrap=True)
    for side in (-1, 1):
        g = np.linspace(0, 1, 260)[:, None]; b = np.linspace(0, 2*np.pi, 90, endpoint=False)[None]
        cx, cz = side*(.50+.23*np.minimum(g*2.2, 1)**.7+.03*g), 2.0-1.26*g
        r = .155-.035*g+.012*noise(g*10, b, 1.4, 7+side)+.010*np.sin(g*26+b)*np.exp(-((g-.42)/.12)**2)
        r = r*np.sqrt(np.clip(.25+g/.05, 0, 1))
        sheet('sleeve', np.stack([cx+r*np.cos(b), -.05-.04*g+1.15*r*np.sin(b), cz+.02*np.cos(b)*side+0*b], -1), wool, wrap=True)
    # The front: the overlapping edge, lapels and collar lie just before the body.
    def front(xx, ff):
        hh = .16+.46*np.minimum(ff/.075, 1)**.62+.02*np.sin(ff*5)+.16*np.maximum(ff-.30, 0); dd = .06+.13*np.minimum(ff/.16, 1)**.6+.09*ff
        return -dd*(np.clip(1-np.abs(xx/hh)**2.6, 0, 1))**(1/2.6)
    f2 = np.linspace(.30, .985, 200)[:, None]; v = np.linspace(0, 1, 30)[None]
    xx = .10-.30*v+.012*np.sin(f2*9)+.03*f2
    sheet('edge', np.stack([xx, front(xx, f2+0*v)-.050-.06*np.maximum(f2-.5, 0)*np.sin(v*5+1)-.02*(1-v), 2.36-2.15*f2+0*v], -1), wool, .018)
    for side in (-1, 1):
        q = np.linspace(0, 1, 80)[:, None]; v = np.linspace(0, 1, 24)[None]
        inner = side*(.11-.11*q)+.10*q*(side < 0)*0; outer = side*(.19+.13*np.sin(np.pi*np.minimum(q*1.15, 1))**.8*(1-.25*q)-.19*q)
        X = inner+(outer-inner)*v; F = .045+.27*q
        sheet('lapel', np.stack([X, front(X, F+0*v)-.045-.020*np.sin(np.pi*v), 2.36-2.15*F+.03*v*(1-q)], -1), wool, .016)
        c = np.linspace(0, 1, 60)[:, None]; v = np.linspace(-1, 1, 16)[None]
        ang = np.pi/2+side*(.15+2.1*c)
        sheet('collar', np.stack([.185*np.cos(ang)*(1+.10*v)+0*v, .13*np.sin(ang)+.005+0*v-.02*c, 2.315+.075*v*(1-.3*c)-.10*c*c-.02*v], -1), wool, .02)
    gap = np.stack([np.array([-.09, .09, 0])[None]*np.linspace(1, .05, 40)[:, None], 0*np.ones((40, 3))-.02, 2.34-.62*np.linspace(0, 1, 40)[:, None]*np.ones((1, 3))], -1)
    for n in range(3):
        lathe('button', [(0, .020), (.030, .020), (.036, .026), (.046, .022), (.048, 0), (0, 0)], dark, (-.02, float(front(np.array(-.02), np.array(.36+.15*n)))-.090-.02*n, 2.36-2.15*(.36+.15*n)), (np.pi/2, 0, 0), 48)
    return dict(eye=(-.12, -5.3, 1.75), aim=(-.62, 0, 1.66), lens=62, wall=True)

def buttons():
    lathe('tray', [(0, .02), (.95, .02), (1.12, .05), (1.24, .16), (1.27, .20), (1.30, .20), (1.31, .17), (1.20, .03), (1.08, -.0), (0, -.0)], material('ceramic', (.80, .75, .66), .25, .5), n=160)
    looks = [material('horn', (.16, .08, .035), .3, .5, bump=(8, .1)), material('pearl', (.82, .76, .68), .18, .8, .3), material('black', INK, .22, .6), material('brass', GOLD, .28, .5, metal=1), material('camel', (.42, .27, .14), .35, .5)]
    hole = material('hole', (.01, .008, .006), .95)
    placed = []
    def button(x, y, z, R, mat, tilt, spin, holes):
        turn = (tilt[0], tilt[1], spin)
        profile = np.array([(0, .42), (.50, .42), (.60, .46), (.72, .62), (.84, .68), (.95, .60), (1, .40), (.97, .12), (.86, 0), (0, 0)])*np.array([R, .30*R])
        o = lathe('button', profile, mat, (x, y, z), turn, 72)
        from mathutils import Euler
        m = Euler(turn).to_matrix()
        for n in range(holes):
            a = 2*np.pi*n/holes+.785; d = .22*R
            p = Vector((x, y, z)) + m @ Vector((d*np.cos(a), d*np.sin(a), .130*R))
            lathe('hole', [(0, .003), (.085*R, .003)], hole, p, turn, 20)
    for layer, (count, z) in enumerate(((30, .035), (15, .11), (5, .19))):
        here = []
        for _ in range(4000):
            if len(here) >= count: break
            R = rng.choice([.13, .16, .20, .245]); d = rng.uniform(0, 1)**.5*(1.02-R-.16*layer); a = rng.uniform(0, 6.283); x, y = d*np.cos(a), d*np.sin(a)
            if any(np.hypot(x-p, y-q) < R+s-.004 for p, q, s in here): continue
            here.append((x, y, R)); t = rng.normal(0, .05+.13*layer, 2)
            button(x, y, z+.02*layer*rng.uniform(0, 1), R, looks[rng.choice(5, p=[.24, .30, .18, .12, .16])], t, rng.uniform(0, 6), int(rng.choice([2, 4, 4])))
        placed += here
    for x, y, R, n in ((1.42, -.62, .20, 0), (1.18, -.98, .15, 3), (-1.34, -.86, .21, 2)):
        button(x, y, 0, R, looks[n], (0, 0), 1, 4)
    return dict(eye=(.3, -4.2, 3.5), aim=(.03, -.10, .06), lens=56)

def bag(paper=(.83, .77, .67), rope=INK):
    paper, rope, tissue = material('kraft', paper, .8, .15, bump=(200, .12)), material('rope', rope, .7, .2, .5), material('tissue', (.90, .86, .80), .7, .2, .3)
    t = .42; c, s = np.cos(t), np.sin(t)
    turn = lambda P: np.stack([P[..., 0]*c-P[..., 1]*s, P[..., 0]*s+P[..., 1]*c, P[..., 2]], -1)
    W, D, H = .78, .36, 1.62
    z = np.linspace(0, 1, 160)[:, None]; u = np.linspace(-1, 1, 120)[None]
    belly = 1+.035*np.sin(np.pi*z)
    for side in (-1, 1):
        P = np.stack([W*u*belly, side*(D*(1-.22*z**2)+.020*noise(u*2, z*3, 2, 3+side)+.03*np.sin(np.pi*z)*np.cos(u*1.5))+0*u, H*z+0*u], -1)
        sheet('face', turn(P), paper, .008)
        # The gusset folds inwards towards the top.
        v = np.linspace(-1, 1, 60)[None]
        inward = (.03+.26*z**1.5)*(1-np.abs(v))
        Q = np.stack([side*(W*belly-inward), v*(D*(1-.22*z**2)+.03*np.sin(np.pi*z)*.07)+0*z, H*z+0*v], -1)
        sheet('gusset', turn(Q), paper, .008)
        a = np.linspace(0, np.pi, 22); r = np.stack([.30*np.cos(a), 0*a+side*(D*.78+.03), H-.10+.55*np.sin(a)**.8], -1)
        r = np.concatenate([[[.30, side*(D*.78+.03), H-.16]], r, [[-.30, side*(D*.78+.03), H-.16]]])
        r[:, 1] += np.where(r[:, 2] > H, (r[:, 2]-H)*.25*-side*0-.10*(r[:, 2]-H), 0)
        tube('rope', [tuple(p) for p in turn(r)], .021, rope)
        for x in (-.30, .30):
            p = turn(np.array([x, side*(D*.78+.05), H-.16])); lathe('eyelet', [(.022, 0), (.046, .006), (.050, 0)], material('brass', GOLD, .25, .5, metal=1), tuple(p), (np.pi/2, 0, t), 40)
    box('floor', (2*W, 2*D, .01), (0, 0, .01), paper, .002, t)
    for n in range(6):
        q = np.linspace(-1, 1, 50)[:, None]; v = np.linspace(0, 1, 50)[None]
        cx, cy = -.45+.18*n, rng.uniform(-.10, .10); a = rng.uniform(-.6, .6)
        hgt = H-.30+(.36+.16*rng.uniform())*v*(1-.35*np.abs(q)) 
        X = cx+.26*q*(.6+.6*v)+.05*np.sin(q*6+n)*v; Y = cy+.13*np.sin(q*2.2+n)*v+.05*np.sin(q*9+v*5+n)*v+a*.12*v
        Z = hgt+.03*np.sin(q*8+n*2)*v
        sheet('tissue', turn(np.stack([X, np.clip(Y, -.25, .25), Z], -1)), tissue, .003)
    return dict(eye=(.25, -6.0, 2.3), aim=(0, 0, 1.06), lens=60)

if __name__ == '__main__': shoot((knitwear, gift, thread, coat, buttons, bag, hanger))
