PARAMETERS = {}
async def run(options, described): return 0
