"""Wrong settings by class: (script, arguments, what the one line says). The line names setting, value and range."""

from typing import Final

Wrong = tuple[str, str, str]

REPORTED: Final[list[Wrong]] = [  # each was accepted once, or ended in a traceback
    ("train", "workers=-1", "workers=-1: expected 0 to 1,024"),
    ("train", "selfplay.rounds=0", "selfplay.rounds=0: expected 1 to 1,000,000"),
    ("train", "selfplay.random_moves=7", "selfplay.random_moves=7: expected 0 to 1"),
    ("train", "selfplay.trace=5", "selfplay.trace=5: expected 0 to 1"),
    ("train", "learner.average=3", "learner.average=3: expected 0 to 0.999999"),
    ("train", "selfplay.random_starts=-2", "selfplay.random_starts=-2: expected 0 to 1"),
    ("train", "learner.batch=0", "learner.batch=0: expected 1 to "),
    ("train", "gate.every=0", "gate.every=0: expected 1 to "),
    ("train", "seed=-1", "seed=-1: expected 0 to 2^63 - 1"),
    ("train", "learner.learning_rate=nan", "learner.learning_rate=nan: expected more than 0, up to 1"),
    ("train", "selfplay.search.method=alphabeta", "selfplay.search.method=alphabeta: expected puct or gumbel"),
    ("train", "selfplay.games=0", "selfplay.games=0: expected 1 to "),
    ("train", "selfplay.games=1000000000", "the games would take"),
    (
        "train",
        "profile=smok",
        "expected one of champion, gpu, laptop, overnight, smoke; did you mean smoke?",
    ),
    ("train", "model=orbit_huge", "model=orbit_huge: expected one of graph_large, "),
    ("train", "evaluation.baselines=minimaks:depth=4,random", "no player is called 'minimaks': did you mean minimax?"),
    ("evaluate", "alpha=2", "alpha=2: expected more than 0, less than 0.5"),
    ("evaluate", "seed=-1", "seed=-1: expected 0 to 2^63 - 1"),
    ("evaluate", "player=neural:seconds=nan", "seconds=nan: expected more than 0, up to 86,400"),
    ("play", "size=0x0", "size=0x0: expected a width and a height, such as 1280x800"),
    ("play", "frames=-5", "frames=-5: expected 0 to "),
    ("play", "red=neural:seconds=nan", "seconds=nan: expected more than 0"),
    ("screenshots", "theme=pink", "theme=pink: expected midnight, daylight or high contrast"),
    ("screenshots", "scenes=[nope]", "nope: expected title, mode, "),
    ("compare_models", "seconds=-1 run=.", "seconds=-1: expected more than 0"),
    ("compare_runs", "pairs=0", "pairs=0: expected 1 to 1,000,000"),
    ("benchmark", "repeats=0", "repeats=0: expected 1 to 10,000"),
]

RELATED: Final[list[Wrong]] = [  # each in its range, and wrong together
    ("train", "gate.worse=0.6 gate.better=0.5", "gate.worse=0.6: expected less than `better`, which is 0.5"),
    ("train", "gate.worse=0.52", "gate.worse=0.52: expected less than `better`"),
    ("evaluate", "sprt=5", "sprt=[5]: expected two Elo differences"),
    ("evaluate", "sprt=1,2,3", "sprt=[1,2,3]: expected two Elo differences"),
    ("evaluate", "sprt=50,0", "sprt=[50,0]: the lower difference comes first"),
    ("evaluate", "anchor=expert", "anchor=expert: not among the players"),
    ("evaluate", "players=random", "nobody to play"),
    ("evaluate", "player=random baselines=[]", "nobody to play"),
    ("evaluate", "players=random,random", "'random' stands twice"),
    ("evaluate", "player=neural:seconds=1,simulations=5", "give simulations or seconds, not both"),
    ("evaluate", "player=neural:seconds=1,method=gumbel", "gumbel plans its simulations ahead"),
    ("compare_runs", "runs=.", "name two run directories or more"),
    ("rate", "seed=1", "name one run directory or more"),
]

MEMORY: Final[list[Wrong]] = [  # sizes that no machine has
    ("train", "selfplay.games=1073741824", "and this machine has"),
    ("train", "selfplay.games=1000000 selfplay.simulations=1000000", "and this machine has"),
    ("train", "cache=1000000000000", "the caches of"),
    ("train", "learner.batch=1073741824", "a step of the learner would take"),
    ("train", "model.width=4096 model.blocks=4096", "the network"),
    ("train", "gate.batch=1000000 gate.duel.simulations=1000000", "the trees of the gate would take"),
    ("train", "evaluation.pairs=1000000 evaluation.duel.simulations=1000000", "the trees of the evaluation"),
    (
        "train",
        "replay.smallest=1000000000 selfplay.games=10000 selfplay.rounds=100000 iterations=1000000",
        "the replay window would take",
    ),
]

PLAYERS: Final[list[Wrong]] = [
    ("evaluate", f"player={spec}", says)
    for spec, says in (
        ("rndom", "did you mean random?"),
        ("random:depth=4", "random has no parameter 'depth'"),
        ("minimax:depth", "'depth' is not of the form parameter=value"),
        ("minimax:depth=4,depth=5", "parameter depth stands twice"),
        ("minimax:depth=four", "depth=four: expected a whole number"),
        ("minimax:depth=0", "depth=0: expected 1 to "),
        ("minimax:weight=-1", "weight=-1: expected 0 to 1,000"),
        ("minimax:table_bits=99", "table_bits=99: expected 4 to 26"),
        ("minimax:seed=-1", "seed=-1: expected 0 to 2^63 - 1"),
        ("minimax:quiescence=maybe", "quiescence=maybe: expected true or false"),
        ("mcts:simulations=0", "simulations=0: expected 1 to "),
        ("mcts:seconds=inf", "seconds=inf: expected more than 0"),
        ("mcts:exploration=-1", "exploration=-1: expected 0 to 1,000"),
        ("fuzzy:depth=9", "depth=9: expected 0 to 6"),
        ("hybrid:narrow=-1", "narrow=-1: expected 0 to 72"),
        ("adaptive:strength=9", "strength=9: expected 0 to 4"),
        ("expert:depth=4", "expert has no parameter 'depth'"),
        ("perfect:tablebase=nowhere", "nowhere: no whole tablebase there; `make solve`"),
        ("neural:checkpoint=nowhere", "nowhere: no such checkpoint"),
        ("neural:checkpoint=docs", "docs: no champion.safetensors in this directory"),
        ("neural:checkpoint=README.md", "README.md: no safetensors file"),
        ("neural:simulations=-1", "simulations=-1: expected 0 to "),
        ("neural:method=alphabeta", "method=alphabeta: expected puct or gumbel"),
        ("neural:device=tpu", "device=tpu: expected auto, cpu, cuda"),
        ("neural:leaves=-1", "leaves=-1: expected 0 to 1,024"),
        ("no.such.Player", "cannot be imported"),
        ("os.path.join", "is no subclass of alphadiamond.agents.Agent"),
        (":depth=4", "a name is missing"),
    )
]

PLACES: Final[list[Wrong]] = [
    ("evaluate", "output=README.md", "a file is there, and a directory is wanted"),
    ("evaluate", "output=README.md/deeper", "README.md is a file, and a directory is wanted there"),
    ("train", "run=README.md", "a file is there, and a directory is wanted"),
    ("train", "resume=nowhere", "resume=nowhere: no directory is there"),
    ("train", "init=nowhere run=new", "init=nowhere: nowhere: no such checkpoint"),
    ("train", "init=README.md run=new", "init=README.md: README.md: no safetensors file"),
    ("benchmark", "output=docs", "a directory is there, and a file is to be written"),
    ("play", "screenshot=docs", "ending in .png"),
    ("solve", "output=README.md", "a file is there, and a directory is wanted"),
    ("make_exam", "tablebase=nowhere", "tablebase=nowhere: no directory is there"),
    ("compare_models", "run=nowhere", "run=nowhere: no directory is there"),
    ("compare_runs", "runs=nowhere,elsewhere", "nowhere: no directory is there"),
    ("show", "path=README.md onnx=net.txt", "ending in .onnx"),
]

WRITTEN: Final[list[Wrong]] = [  # keys, groups and forms, with Hydra's own flags too
    (
        "train",
        "selfplay.simulation=3",
        "no setting is called 'selfplay.simulation'; did you mean 'selfplay.sim",
    ),
    ("train", "+selfplay.new=3", "no setting is called 'selfplay.new'"),
    ("train", "zzz=3", "no setting is called 'zzz'; --help lists them all"),
    ("train", "seed", "'seed': settings are given as key=value"),
    ("train", "seed=one", "seed=one: expected a whole number"),
    ("train", "seed=1.5", "seed=1.5: expected a whole number"),
    ("train", "plot=perhaps", "plot=perhaps: expected true or false"),
    ("train", "--cfg job profile=smok", "profile=smok: expected one of"),
    ("train", "--cfg job workers=-1", "workers=-1: expected 0 to"),
    ("train", "--cfg job sed=1", "no setting is called 'sed'; did you mean 'seed'?"),
    ("train", "--multirun profile=smoke,laptp", "profile=laptp: expected one of"),
    ("train", "--multirun seed=1,-1", "seed=-1: expected 0 to"),
    ("train", "--multirun model=orbit_small,orbit_hug", "model=orbit_hug: expected one of"),
    ("train", "-m sed=1,2", "no setting is called 'sed'; did you mean 'seed'?"),
    ("evaluate", "profile=smoke", "no setting is called 'profile'"),
    ("evaluate", "game=4", "no setting is called 'game'; did you mean 'games'?"),
    ("evaluate", "games=7", "games=7: expected an even number"),
]
